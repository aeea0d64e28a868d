package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A guest image as LXD lists it. */
record Image(
        String fingerprint,
        String uploadedAt,
        long size,
        String type,
        @Nullable UpdateSource updateSource,
        Map<String, String> properties,
        List<Alias> aliases) {
    Image(
            String fingerprint,
            @Nullable String uploadedAt,
            long size,
            @Nullable String type,
            @Nullable UpdateSource updateSource,
            @Nullable Map<String, String> properties,
            @Nullable List<Alias> aliases) {
        this.fingerprint = Objects.requireNonNull(fingerprint);
        this.uploadedAt = Objects.requireNonNullElse(uploadedAt, "");
        this.size = size;
        this.type = Objects.requireNonNullElse(type, "container");
        this.updateSource = updateSource;
        this.properties = Objects.requireNonNullElse(properties, Map.of());
        this.aliases = Objects.requireNonNullElse(aliases, List.of());
    }

    /** The property of baked images; its value is the name that bake gave. */
    static final String BAKED = "deepsite.baked";

    boolean isBaked() {
        return properties.containsKey(BAKED);
    }

    boolean isVirtualMachine() {
        return type.equals(MachineAttributes.VIRTUAL_MACHINE);
    }

    /** An application container, fetched from a registry of OCI images; newer versions of Incus have them. */
    boolean isOfProgram() {
        return "oci".equals(properties.get("type"));
    }

    record Alias(String name) {}

    /** The server and alias that LXD fetched it from. */
    record UpdateSource(String alias, String server) {}

    /** The entry of one alias. */
    record AliasEntry(String name, String target) {}
}
