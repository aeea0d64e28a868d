package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A guest image as LXD lists it. */
record Image(String fingerprint, String uploadedAt, long size, Map<String, String> properties, List<Alias> aliases) {
    Image(
            String fingerprint,
            @Nullable String uploadedAt,
            long size,
            @Nullable Map<String, String> properties,
            @Nullable List<Alias> aliases) {
        this.fingerprint = fingerprint;
        this.uploadedAt = Objects.requireNonNullElse(uploadedAt, "");
        this.size = size;
        this.properties = Objects.requireNonNullElse(properties, Map.of());
        this.aliases = Objects.requireNonNullElse(aliases, List.of());
    }

    record Alias(String name) {}

    /** The entry of one alias. */
    record AliasEntry(String name, String target) {}
}
