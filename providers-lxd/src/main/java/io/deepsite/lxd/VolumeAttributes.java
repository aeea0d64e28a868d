package io.deepsite.lxd;

import io.deepsite.provider.Resource;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The attributes of a shared volume: its {@code pool} and, where the site limits it, its {@code size}. */
final class VolumeAttributes {
    static final String KIND = "volume";
    static final String POOL = "pool";
    static final String SIZE = "size";

    private VolumeAttributes() {}

    static SortedMap<String, String> observed(String pool, Volume volume) {
        var seen = new TreeMap<>(Map.of(POOL, pool));
        var size = volume.config().get("size");
        if (size != null) {
            seen.put(SIZE, MachineAttributes.size(size));
        }
        return seen;
    }

    static Map<String, String> config(Resource volume) {
        var size = volume.values().get(SIZE);
        return size == null ? Map.of() : Map.of("size", size);
    }
}
