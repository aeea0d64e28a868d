package io.deepsite.site.load;

import java.util.List;
import java.util.Map;

/** What may stand at a place of site.yaml. Read from the records by {@link Model}. */
sealed interface Shape {

    /** One text: {@code String}, {@code int}, {@code boolean}, or a type with {@code static parse(String)}. */
    record Scalar(Class<?> type) implements Shape {}

    record Listing(Shape element) implements Shape {}

    /** Names that the user chooses. */
    record Mapping(Scalar key, Shape value) implements Shape {}

    /** Keys that deepsite knows, in the order of the record. */
    record Struct(Class<?> type, List<Field> fields) implements Shape {
        boolean mayBeLeftOut() {
            return fields.stream().noneMatch(Field::needed);
        }
    }

    /**
     * One of several structs.
     *
     * @param byKind the key {@code kind} inside tells which; otherwise it is a map with one key, the case's name
     */
    record Choice(Class<?> type, boolean byKind, Map<String, Struct> cases) implements Shape {}
}
