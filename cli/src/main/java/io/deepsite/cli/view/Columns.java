package io.deepsite.cli.view;

import java.util.ArrayList;
import java.util.List;

/** Rows with aligned columns. */
final class Columns {
    private final List<List<String>> rows = new ArrayList<>();

    Columns row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Indents each row by this many blanks; ends with a line break. */
    String text(int indent) {
        var widths = new ArrayList<Integer>();
        for (var row : rows) {
            for (int i = 0; i < row.size(); i++) {
                if (i == widths.size()) {
                    widths.add(0);
                }
                widths.set(i, Math.max(widths.get(i), row.get(i).length()));
            }
        }
        var text = new StringBuilder();
        for (var row : rows) {
            var line = new StringBuilder(" ".repeat(indent));
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i)).repeat(' ', widths.get(i) - row.get(i).length() + 2);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
