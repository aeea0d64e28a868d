package io.deepsite.cli.view;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.DiagnosticPrinter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.stream.Collectors;

/** Diagnostics for a terminal: the printer's text, its head and its caret in colour. */
public final class DiagnosticView {
    private final Style style;

    public DiagnosticView(Style style) {
        this.style = style;
    }

    /** Ends with a line break; an empty line separates two diagnostics. */
    public String text(Collection<Diagnostic> diagnostics) {
        return diagnostics.stream().map(this::text).collect(Collectors.joining("\n"));
    }

    private String text(Diagnostic diagnostic) {
        var plain = DiagnosticPrinter.print(diagnostic);
        if (style == Style.PLAIN) {
            return plain;
        }
        var lines = new ArrayList<>(plain.lines().toList());
        var head = lines.getFirst();
        int colon = head.indexOf(':');
        lines.set(0, severity(diagnostic, head.substring(0, colon)) + style.bold(head.substring(colon)));
        for (int i = 1; i < lines.size(); i++) {
            var line = lines.get(i);
            if (line.startsWith("  --> ")) {
                lines.set(i, "  " + style.cyan("-->") + line.substring(5));
            } else if (line.matches(" +\\| +\\^+")) {
                int caret = line.indexOf('^');
                lines.set(i, line.substring(0, caret) + severity(diagnostic, line.substring(caret)));
            } else if (diagnostic.commands().contains(line.strip()) && line.startsWith("      ")) {
                lines.set(i, "      " + style.bold(line.strip()));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private String severity(Diagnostic diagnostic, String text) {
        return switch (diagnostic.severity()) {
            case ERROR -> style.red(text);
            case WARNING -> style.yellow(text);
            case NOTE -> style.cyan(text);
        };
    }
}
