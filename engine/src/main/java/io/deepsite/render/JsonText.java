package io.deepsite.render;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes maps, lists, texts, whole numbers and booleans as JSON with sorted keys: equal maps give equal text. */
public final class JsonText {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT, SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private JsonText() {}

    /** @param document has no {@link io.deepsite.contract.Marker}: JSON would escape its delimiters */
    public static String of(Map<String, ?> document) {
        return JSON.writeValueAsString(document) + "\n";
    }

    /** As {@link #of(Map)}, of a document that is a list. */
    public static String of(List<?> document) {
        return JSON.writeValueAsString(document) + "\n";
    }
}
