package io.deepsite.tosca;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A part of a template. */
sealed interface Value {
    /** In the file; 0 for what is not written there. */
    int line();

    record Text(String written, int line) implements Value {
        /** In place of what is not there. */
        static final Text NONE = new Text("", 0);
    }

    record Items(List<Value> items, int line) implements Value {}

    record Entries(Map<String, Value> entries, int line) implements Value {}

    /** The part below a key; {@link Text#NONE} where there is none. */
    default Value get(String key) {
        return this instanceof Entries map ? map.entries().getOrDefault(key, Text.NONE) : Text.NONE;
    }

    default Value at(String... path) {
        Value value = this;
        for (var key : path) {
            value = value.get(key);
        }
        return value;
    }

    default boolean isNone() {
        return equals(Text.NONE);
    }

    /** Empty for anything but a text that has characters. */
    default Optional<String> text() {
        return this instanceof Text text && !text.written().isBlank()
                ? Optional.of(text.written().strip())
                : Optional.empty();
    }

    default Map<String, Value> entries() {
        return this instanceof Entries map ? map.entries() : Map.of();
    }

    default List<Value> items() {
        return this instanceof Items list ? list.items() : List.of();
    }

    /** This with another one laid over it: maps are joined, everything else is replaced. */
    default Value with(Value over) {
        if (!(this instanceof Entries below) || !(over instanceof Entries above)) {
            return over;
        }
        var joined = new LinkedHashMap<>(below.entries());
        above.entries().forEach((key, value) -> joined.merge(key, value, Value::with));
        return new Entries(joined, below.line());
    }
}
