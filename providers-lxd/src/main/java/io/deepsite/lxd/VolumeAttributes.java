package io.deepsite.lxd;

import io.deepsite.provider.Resource;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The attributes of a shared volume: its {@code pool}; its {@code size}, where the site limits it; and for whom it is kept,
 * if its contents outlive the site.
 */
final class VolumeAttributes {
    static final String KIND = "volume";
    static final String POOL = "pool";
    static final String SIZE = "size";
    static final String KEPT_FOR = "kept-for";

    private VolumeAttributes() {}

    static SortedMap<String, String> observed(String pool, Volume volume) {
        var seen = new TreeMap<>(Map.of(POOL, pool));
        var size = volume.config().get("size");
        if (size != null) {
            seen.put(SIZE, MachineAttributes.size(size));
        }
        var site = volume.config().get(Ownership.KEPT_FOR);
        if (site != null) {
            seen.put(KEPT_FOR, site);
        }
        return seen;
    }

    /** Both keys: LXD removes one whose value is empty. */
    static Map<String, String> config(Resource volume) {
        var values = volume.values();
        return Map.of("size", values.getOrDefault(SIZE, ""), Ownership.KEPT_FOR, values.getOrDefault(KEPT_FOR, ""));
    }

    /** The same for a new volume, which has nothing to remove. */
    static Map<String, String> newConfig(Resource volume) {
        var config = new TreeMap<>(config(volume));
        config.values().removeIf(String::isEmpty);
        return config;
    }
}
