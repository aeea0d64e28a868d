package io.deepsite.site.load;

import io.deepsite.diag.Where;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** The text of a file that the user wrote, and the places in it. */
final class SourceText {
    private static final int LONGEST_LINE = 400;

    private final String file;
    private final String text;
    private final List<String> lines;
    private final boolean mayShow;

    /** @param text without byte order mark */
    SourceText(String file, String text) {
        this.file = file;
        this.text = text;
        this.lines = text.lines().toList();
        // Whoever pasted a private key or a password by mistake shall not find it in a log as well.
        this.mayShow = !text.contains("PRIVATE KEY-----") && !Wording.holdsPassword(text);
    }

    String file() {
        return file;
    }

    String text() {
        return text;
    }

    Where whole() {
        return Where.file(file);
    }

    /** A collection is marked at its start, a text to the end of its first line. */
    Where at(Node node, String path) {
        if (node instanceof MappingNode mapping
                && !mapping.getValue().isEmpty()
                && mapping.getValue().getFirst().getKeyNode() instanceof ScalarNode key) {
            return at(key.getStartMark(), key.getEndMark(), path);
        }
        return at(node.getStartMark(), node.getEndMark(), path);
    }

    Where at(Mark start, Mark end, String path) {
        int line = start.getLine() + 1;
        int length = end.getLine() == start.getLine()
                ? end.getColumn() - start.getColumn()
                : lengthOf(line) - start.getColumn();
        return at(line, start.getColumn() + 1, length, path);
    }

    /** @param line and column 1-based, in code points */
    Where at(int line, int column, int length, String path) {
        return new Where(file, line, column, Math.max(1, length), path, shown(line));
    }

    private int lengthOf(int line) {
        String content = line <= lines.size() ? lines.get(line - 1) : "";
        return content.codePointCount(0, content.length());
    }

    private @Nullable String shown(int line) {
        if (!mayShow || line > lines.size() || lines.get(line - 1).length() > LONGEST_LINE) {
            return null;
        }
        var out = new StringBuilder();
        lines.get(line - 1)
                .codePoints()
                .forEach(point -> out.appendCodePoint(point != '\t' && Wording.isControl(point) ? 0xFFFD : point));
        return out.toString();
    }
}
