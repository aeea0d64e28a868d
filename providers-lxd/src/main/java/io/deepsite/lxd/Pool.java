package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A storage pool as LXD lists it. */
record Pool(String name, String driver, String status, Map<String, String> config, List<String> usedBy) {
    Pool(
            String name,
            String driver,
            @Nullable String status,
            @Nullable Map<String, String> config,
            @Nullable List<String> usedBy) {
        this.name = Objects.requireNonNull(name);
        this.driver = Objects.requireNonNull(driver);
        this.status = Objects.requireNonNullElse(status, "");
        this.config = Objects.requireNonNullElse(config, Map.of());
        this.usedBy = Objects.requireNonNullElse(usedBy, List.of());
    }

    /** Its space, in bytes. */
    record Space(Amount space) {
        record Amount(long used, long total) {}
    }
}
