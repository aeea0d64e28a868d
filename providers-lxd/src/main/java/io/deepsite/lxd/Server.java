package io.deepsite.lxd;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * LXD's description of itself.
 *
 * @param auth {@code trusted} or {@code untrusted}
 * @param environment absent while LXD does not trust this client
 */
record Server(String auth, @Nullable Environment environment) {
    Server {
        Objects.requireNonNull(auth);
    }

    record Environment(
            String serverName,
            String certificateFingerprint,
            String serverVersion,
            String osName,
            String osVersion,
            boolean serverClustered,
            String driver,
            Map<String, String> kernelFeatures,
            List<StorageDriver> storageSupportedDrivers) {
        Environment(
                @Nullable String serverName,
                @Nullable String certificateFingerprint,
                @Nullable String serverVersion,
                @Nullable String osName,
                @Nullable String osVersion,
                boolean serverClustered,
                @Nullable String driver,
                @Nullable Map<String, String> kernelFeatures,
                @Nullable List<StorageDriver> storageSupportedDrivers) {
            this.serverName = Objects.requireNonNullElse(serverName, "");
            this.certificateFingerprint = Objects.requireNonNullElse(certificateFingerprint, "");
            this.serverVersion = Objects.requireNonNullElse(serverVersion, "");
            this.osName = Objects.requireNonNullElse(osName, "");
            this.osVersion = Objects.requireNonNullElse(osVersion, "");
            this.serverClustered = serverClustered;
            this.driver = Objects.requireNonNullElse(driver, "");
            this.kernelFeatures = Objects.requireNonNullElse(kernelFeatures, Map.of());
            this.storageSupportedDrivers = Objects.requireNonNullElse(storageSupportedDrivers, List.of());
        }
    }

    // LXD writes these keys with a capital.
    record StorageDriver(@JsonProperty("Name") String name) {}
}
