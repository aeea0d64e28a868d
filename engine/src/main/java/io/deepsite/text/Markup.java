package io.deepsite.text;

import io.deepsite.diag.PlainText;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes HTML and SVG that is also well-formed XML. Every text and every value is escaped, whoever it comes from; names of
 * elements and attributes are the program's own.
 */
public final class Markup {
    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** @param attributes name, value, name, value … */
    public Markup open(String element, String... attributes) {
        out.append('<').append(element);
        attributes(attributes);
        out.append('>');
        open.push(element);
        return this;
    }

    /** Closes the element that was opened last. */
    public Markup close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    /** As {@link #close()}, and begins a new line. */
    public Markup closeLine() {
        return close().line();
    }

    /** An element without content. */
    public Markup empty(String element, String... attributes) {
        out.append('<').append(element);
        attributes(attributes);
        out.append("/>");
        return this;
    }

    /** An element that holds a text. */
    public Markup element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close();
    }

    public Markup text(String text) {
        out.append(escaped(text));
        return this;
    }

    /** A line break between elements, for people who read the file. */
    public Markup line() {
        out.append('\n');
        return this;
    }

    /** What another one wrote. */
    public Markup add(Markup other) {
        out.append(other);
        return this;
    }

    /** A style sheet: written as it is, so it holds nothing from outside the program. */
    public Markup style(String css) {
        out.append("<style>\n").append(css).append("</style>\n");
        return this;
    }

    private void attributes(String... attributes) {
        if (attributes.length % 2 != 0) {
            throw new IllegalArgumentException("an attribute without a value");
        }
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(escaped(attributes[i + 1]))
                    .append('"');
        }
    }

    private static String escaped(String text) {
        var escaped = new StringBuilder(text.length() + 16);
        PlainText.of(text).codePoints().forEach(sign -> {
            switch (sign) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                // No XML may hold these two.
                case 0xFFFE, 0xFFFF -> escaped.append('?');
                default -> escaped.appendCodePoint(sign);
            }
        });
        return escaped.toString();
    }

    /** @throws IllegalStateException if an element is still open */
    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("not closed: " + open);
        }
        return out.toString();
    }
}
