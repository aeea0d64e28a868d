package io.deepsite.diag;

import java.util.Locale;

/** Formats a diagnostic for a person: summary, place with a caret, reason, fix, commands. The caller adds colour. */
public final class DiagnosticPrinter {
    private DiagnosticPrinter() {}

    public static String print(Diagnostic diagnostic) {
        var out = new StringBuilder();
        out.append(diagnostic.severity().name().toLowerCase(Locale.ROOT))
                .append(' ')
                .append(diagnostic.code().id())
                .append(": ")
                .append(diagnostic.code().summary())
                .append('\n');
        var where = diagnostic.where();
        if (where != null) {
            place(out, where);
        }
        indented(out, diagnostic.why());
        indented(out, diagnostic.fix());
        if (!diagnostic.commands().isEmpty()) {
            out.append('\n');
            diagnostic
                    .commands()
                    .forEach(command -> out.append("      ").append(command).append('\n'));
        }
        return out.toString();
    }

    private static void place(StringBuilder out, Where where) {
        out.append("  --> ").append(where.file());
        if (where.line() > 0) {
            out.append(':').append(where.line());
            if (where.column() > 0) {
                out.append(':').append(where.column());
            }
        }
        if (!where.path().isEmpty()) {
            out.append("  ").append(where.path());
        }
        out.append('\n');
        var text = where.text();
        if (text != null && where.line() > 0) {
            out.append(String.format(Locale.ROOT, "%5d | %s%n", where.line(), text.replace('\t', ' ')));
            if (where.column() > 0) {
                out.append("      | ")
                        .append(" ".repeat(where.column() - 1))
                        .append("^".repeat(Math.max(1, where.length())))
                        .append('\n');
            }
        }
    }

    private static void indented(StringBuilder out, String text) {
        if (!text.isBlank()) {
            text.strip().lines().forEach(line -> out.append("  ").append(line).append('\n'));
        }
    }
}
