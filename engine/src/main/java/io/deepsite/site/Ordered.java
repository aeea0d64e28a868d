package io.deepsite.site;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Unmodifiable maps that keep the order of the file, which {@code Map.copyOf} does not. */
public final class Ordered {
    private Ordered() {}

    public static <K, V> Map<K, V> copy(Map<K, V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
