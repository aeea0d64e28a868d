package io.deepsite.lxd;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What LXD says of itself.
 *
 * @param auth {@code trusted} or {@code untrusted}
 * @param environment absent while it does not trust us
 */
record Server(String auth, @Nullable Environment environment) {
    record Environment(
            String serverName,
            String serverVersion,
            String osName,
            String osVersion,
            List<StorageDriver> storageSupportedDrivers) {
        Environment(
                @Nullable String serverName,
                @Nullable String serverVersion,
                @Nullable String osName,
                @Nullable String osVersion,
                @Nullable List<StorageDriver> storageSupportedDrivers) {
            this.serverName = Objects.requireNonNullElse(serverName, "");
            this.serverVersion = Objects.requireNonNullElse(serverVersion, "");
            this.osName = Objects.requireNonNullElse(osName, "");
            this.osVersion = Objects.requireNonNullElse(osVersion, "");
            this.storageSupportedDrivers = Objects.requireNonNullElse(storageSupportedDrivers, List.of());
        }
    }

    // LXD writes these keys with a capital.
    record StorageDriver(@JsonProperty("Name") String name) {}
}
