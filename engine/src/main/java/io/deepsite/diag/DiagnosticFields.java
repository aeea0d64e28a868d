package io.deepsite.diag;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Diagnostics for programs. */
public final class DiagnosticFields {
    private DiagnosticFields() {}

    /** For JSON: the code's id and summary instead of the enum's name, no empty field. */
    public static List<Map<String, Object>> of(Collection<Diagnostic> diagnostics) {
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
