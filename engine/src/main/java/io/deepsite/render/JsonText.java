package io.deepsite.render;

import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes maps, lists, texts, whole numbers and truth values as JSON, keys in their own order: the same text from equal maps. */
public final class JsonText {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT, SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private JsonText() {}

    /** Without any {@link io.deepsite.contract.Marker}, whose signs JSON would escape. */
    public static String of(Map<String, ?> document) {
        return JSON.writeValueAsString(document) + "\n";
    }
}
