package io.deepsite.cli.view;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Results and events for programs. Keys keep their order. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            // Methods of records (isMachine()) are not fields.
            .changeDefaultVisibility(checker -> checker.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
            .build();

    private Json() {}

    /** Indented; ends with a line break. */
    public static String pretty(Object value) {
        return MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value) + "\n";
    }

    /** One line, without its line break. */
    public static String line(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }
}
