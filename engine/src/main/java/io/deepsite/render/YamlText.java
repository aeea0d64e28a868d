package io.deepsite.render;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes maps, lists, texts, whole numbers and booleans as block-style YAML, keys in the order of the maps. Keeps a
 * {@link io.deepsite.contract.Marker} in a text unchanged.
 */
public final class YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9/_.-]*");
    /** Words that some YAML reader does not read as text. */
    private static final Set<String> WORDS =
            Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf");

    private final StringBuilder text = new StringBuilder();

    private YamlText() {}

    /** Writes documents separated by lines of three hyphens. */
    public static String documents(List<? extends Map<String, ?>> documents) {
        var yaml = new YamlText();
        for (var document : documents) {
            if (!yaml.text.isEmpty()) {
                yaml.text.append("---\n");
            }
            yaml.map(document, 0, false);
        }
        return yaml.text.toString();
    }

    private void map(Map<?, ?> map, int indent, boolean afterDash) {
        boolean first = afterDash;
        for (var entry : map.entrySet()) {
            if (!first) {
                text.append(" ".repeat(indent));
            }
            first = false;
            text.append(scalar(String.valueOf(entry.getKey()))).append(':');
            value(entry.getValue(), indent);
        }
    }

    private void list(List<?> list, int indent) {
        for (var element : list) {
            text.append(" ".repeat(indent)).append('-');
            if (element instanceof Map<?, ?> map && !map.isEmpty()) {
                text.append(' ');
                map(map, indent + 2, true);
            } else {
                value(element, indent);
            }
        }
    }

    /** Written after a colon or a dash, to the end of the line. */
    private void value(@Nullable Object value, int indent) {
        switch (value) {
            case Map<?, ?> map
            when !map.isEmpty() -> {
                text.append('\n');
                map(map, indent + 2, false);
            }
            case Map<?, ?> _ -> text.append(" {}\n");
            case List<?> list
            when !list.isEmpty() -> {
                text.append('\n');
                list(list, indent + 2);
            }
            case List<?> _ -> text.append(" []\n");
            case String lines when lines.endsWith("\n") && lines.strip().contains("\n") -> block(lines, indent + 2);
            case String one -> text.append(' ').append(scalar(one)).append('\n');
            case null -> text.append(" null\n");
            default -> text.append(' ').append(value).append('\n');
        }
    }

    private void block(String lines, int indent) {
        text.append(" |\n");
        lines.lines()
                .forEach(line -> text.append(" ".repeat(indent)).append(line).append('\n'));
    }

    private static String scalar(String text) {
        if (PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(java.util.Locale.ROOT))) {
            return text;
        }
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
