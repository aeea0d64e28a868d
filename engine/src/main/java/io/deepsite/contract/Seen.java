package io.deepsite.contract;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a probe observed of one item.
 *
 * @param fields as in the probe's answer: text, numbers, booleans, lists of text
 * @param unknown why the observation failed; an unknown item is never satisfied
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

    /** A field as text; empty if absent. */
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
