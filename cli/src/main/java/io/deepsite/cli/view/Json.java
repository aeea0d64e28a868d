package io.deepsite.cli.view;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import io.deepsite.diag.Diagnostic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    /** Diagnostics for JSON: the code's id and summary instead of the enum's name, no empty field. */
    public static List<Map<String, Object>> diagnostics(Collection<Diagnostic> diagnostics) {
        var all = new ArrayList<Map<String, Object>>();
        for (var diagnostic : diagnostics) {
            var fields = new LinkedHashMap<String, Object>();
            fields.put("severity", diagnostic.severity().name().toLowerCase(Locale.ROOT));
            fields.put("code", diagnostic.code().id());
            fields.put("summary", diagnostic.code().summary());
            var where = diagnostic.where();
            if (where != null) {
                var place = new LinkedHashMap<String, Object>();
                place.put("file", where.file());
                if (where.line() > 0) {
                    place.put("line", where.line());
                    place.put("column", where.column());
                }
                if (!where.path().isEmpty()) {
                    place.put("path", where.path());
                }
                fields.put("where", place);
            }
            fields.put("why", diagnostic.why());
            if (!diagnostic.fix().isEmpty()) {
                fields.put("fix", diagnostic.fix());
            }
            if (!diagnostic.commands().isEmpty()) {
                fields.put("commands", diagnostic.commands());
            }
            all.add(fields);
        }
        return all;
    }
}
