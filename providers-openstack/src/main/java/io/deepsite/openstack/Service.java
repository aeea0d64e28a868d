package io.deepsite.openstack;

import java.util.List;
import java.util.Optional;
import org.openstack4j.api.types.ServiceType;

/** A service of the cloud that deepsite calls. */
enum Service {
    IDENTITY("identity (Keystone)", "/v3", "", ServiceType.IDENTITY, "identity"),
    COMPUTE("compute (Nova)", "", "compute", ServiceType.COMPUTE, "compute"),
    NETWORK("network (Neutron)", "/v2.0", "", ServiceType.NETWORK, "network"),
    IMAGE("image (Glance)", "/v2", "", ServiceType.IMAGE, "image"),
    VOLUME(
            "block storage (Cinder)",
            "",
            "volume",
            ServiceType.BLOCK_STORAGE,
            "volumev3",
            "block-storage",
            "block-store",
            "volume"),
    PLACEMENT("placement", "", "placement", ServiceType.PLACEMENT, "placement");

    private final String words;
    private final String version;
    private final String microversionName;
    private final ServiceType type;
    /** Separated by blanks: an enum holds nothing mutable. */
    private final String types;

    /**
     * @param version with which the path of its API begins; empty if the catalogue has it
     * @param microversionName its name in the header; empty if it has no microversions
     * @param types in the catalogue, the preferred first. Source: OpenStack service types authority
     */
    Service(String words, String version, String microversionName, ServiceType type, String... types) {
        this.words = words;
        this.version = version;
        this.microversionName = microversionName;
        this.type = type;
        this.types = String.join(" ", types);
    }

    static Optional<Service> of(ServiceType type) {
        for (var service : values()) {
            if (service.type == type) {
                return Optional.of(service);
            }
        }
        return Optional.empty();
    }

    /** Its name in messages. */
    String words() {
        return words;
    }

    String microversionName() {
        return microversionName;
    }

    List<String> types() {
        return List.of(types.split(" "));
    }

    /** A path without the version that it begins with. */
    String unversioned(String path) {
        return path.startsWith(version) ? path.substring(version.length()) : path;
    }

    /** The catalogue's URL with the version that its API needs, and without a slash at the end. */
    String versioned(String url) {
        var plain = url.replaceAll("/+$", "");
        return version.isEmpty() || plain.endsWith(version) ? plain : plain + version;
    }
}
