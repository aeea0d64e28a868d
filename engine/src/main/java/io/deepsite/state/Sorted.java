package io.deepsite.state;

import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.pcollections.TreePMap;

/** Immutable maps in key order, so that records serialize the same every time. */
final class Sorted {
    private Sorted() {}

    static <V> SortedMap<String, V> copyOf(Map<String, V> map) {
        Objects.requireNonNull(map, "a map is missing");
        if (map instanceof TreePMap<String, V> copied) {
            return copied;
        }
        map.forEach((key, value) -> {
            if (key == null || value == null) {
                throw new IllegalArgumentException("a recorded map has no null: " + key);
            }
        });
        return TreePMap.from(map);
    }

    static <V> SortedMap<String, V> with(SortedMap<String, V> map, String key, V value) {
        return persistent(map).plus(key, Objects.requireNonNull(value, key));
    }

    static <V> SortedMap<String, V> without(SortedMap<String, V> map, String key) {
        return persistent(map).minus(key);
    }

    private static <V> TreePMap<String, V> persistent(SortedMap<String, V> map) {
        return map instanceof TreePMap<String, V> copied ? copied : TreePMap.from(map);
    }
}
