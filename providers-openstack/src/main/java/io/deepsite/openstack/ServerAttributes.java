package io.deepsite.openstack;

import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Maps the attributes of a machine to a Nova server and back. What Nova returns in another form than it was asked, or not
 * at all, is in the metadata as it was asked.
 */
final class ServerAttributes {
    static final String IMAGE = "image";
    /** The image's id, or the digest of the file that it was uploaded from. */
    static final String FINGERPRINT = "fingerprint";

    static final String FLAVOR = "flavor";
    /** What the site asks for, if deepsite chooses the flavor. */
    static final String SIZE = "size";

    static final String ZONE = "zone";
    static final String PLACEMENT = "placement";
    static final String BOOT = "boot";
    static final String CONFIG_DRIVE = "config-drive";
    static final String USER_DATA = "user-data";
    static final String LOGIN = "login";
    /** {@code volume.<name>} is the key of the volume. */
    static final String VOLUME = "volume.";

    static final String METADATA = "metadata.";

    static final String IMAGE_KEY = Ownership.KEY + "-" + IMAGE;
    static final String FINGERPRINT_KEY = Ownership.KEY + "-" + FINGERPRINT;
    /** Digests of the keys that it was created with: those of its users, and its host key. */
    static final String LOGIN_KEY = Ownership.KEY + "-login-key";

    static final String HOST_KEY = Ownership.KEY + "-host-key";

    private static final List<String> NOTED =
            List.of(IMAGE, FINGERPRINT, SIZE, ZONE, PLACEMENT, BOOT, CONFIG_DRIVE, USER_DATA, LOGIN);

    private ServerAttributes() {}

    static Attribute attribute(String key, String value) {
        return new Attribute(value, change(key));
    }

    private static Mutability change(String key) {
        return switch (key) {
            case IMAGE, SIZE -> Mutability.IN_PLACE;
            case FLAVOR -> Mutability.RESTART;
            default -> key.startsWith(VOLUME) || key.startsWith(METADATA) ? Mutability.IN_PLACE : Mutability.REPLACE;
        };
    }

    /** All metadata of a server with these attributes, except tags and the digests of its boot files. */
    static Map<String, String> metadata(Resource machine) {
        var metadata = new TreeMap<String, String>();
        machine.values().forEach((attribute, value) -> {
            if (NOTED.contains(attribute)) {
                metadata.put(Ownership.KEY + "-" + attribute, value);
            } else if (attribute.startsWith(METADATA)) {
                metadata.put(attribute.substring(METADATA.length()), value);
            }
        });
        return metadata;
    }

    /** @param volumes key of each of the site's volumes, by its id */
    static SortedMap<String, String> observed(Snapshot.Server server, Map<String, String> volumes) {
        var seen = new TreeMap<String, String>();
        seen.put(FLAVOR, server.flavor());
        server.metadata().forEach((key, value) -> {
            if (!key.startsWith(Ownership.KEY)) {
                seen.put(METADATA + key, value);
            } else if (key.length() > Ownership.KEY.length()
                    && NOTED.contains(key.substring(Ownership.KEY.length() + 1))) {
                seen.put(key.substring(Ownership.KEY.length() + 1), value);
            }
        });
        server.volumes().forEach(id -> {
            var key = volumes.get(id);
            if (key != null) {
                seen.put(volume(key, machine(server)), key);
            }
        });
        return seen;
    }

    private static String machine(Snapshot.Server server) {
        return Ownership.of(server.metadata().getOrDefault(Ownership.KEY, ""))
                .map(ownership -> ownership.id().key())
                .orElse("");
    }

    /** The attribute for a volume. The key of a machine's own is {@code <machine>-<name>}, that of the site's its name. */
    static String volume(String key, String machine) {
        var prefix = machine + "-";
        return VOLUME + (key.startsWith(prefix) ? key.substring(prefix.length()) : key);
    }
}
