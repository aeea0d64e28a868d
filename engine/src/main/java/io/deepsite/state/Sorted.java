package io.deepsite.state;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Immutable maps in key order, so that records serialize the same every time. */
final class Sorted {
    private Sorted() {}

    static <V> SortedMap<String, V> copyOf(Map<String, V> map) {
        Objects.requireNonNull(map, "a map is missing");
        map.forEach((key, value) -> {
            if (key == null || value == null) {
                throw new IllegalArgumentException("a recorded map has no null: " + key);
            }
        });
        return Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }

    static <V> SortedMap<String, V> with(SortedMap<String, V> map, String key, V value) {
        var next = new TreeMap<>(map);
        next.put(key, value);
        return Collections.unmodifiableSortedMap(next);
    }

    static <V> SortedMap<String, V> without(SortedMap<String, V> map, String key) {
        var next = new TreeMap<>(map);
        next.remove(key);
        return Collections.unmodifiableSortedMap(next);
    }
}
