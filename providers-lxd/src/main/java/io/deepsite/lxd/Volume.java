package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A custom storage volume as LXD lists it. */
record Volume(String name, String type, Map<String, String> config, List<String> usedBy) {
    Volume(String name, @Nullable String type, @Nullable Map<String, String> config, @Nullable List<String> usedBy) {
        this.name = Objects.requireNonNull(name);
        this.type = Objects.requireNonNullElse(type, "custom");
        this.config = Objects.requireNonNullElse(config, Map.of());
        this.usedBy = Objects.requireNonNullElse(usedBy, List.of());
    }
}
