package io.deepsite.contract;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a probe saw of one item.
 *
 * @param fields as the probe's answer holds them: text, numbers, booleans, lists of text
 * @param unknown why nothing could be seen; an unknown item never holds
 */
public record Seen(Map<String, Object> fields, Optional<String> unknown) {
    public Seen {
        fields = new TreeMap<>(fields);
    }

    public static Seen of(Map<String, Object> fields) {
        return new Seen(fields, Optional.empty());
    }

    public static Seen unknown(String why) {
        return new Seen(Map.of(), Optional.of(why));
    }

    /** A field as text; empty when absent. */
    public String text(String name) {
        var value = fields.get(name);
        return value == null ? "" : value.toString();
    }

    public boolean flag(String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }

    public List<String> list(String name) {
        return fields.get(name) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }
}
