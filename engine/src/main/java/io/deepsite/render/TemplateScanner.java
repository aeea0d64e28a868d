package io.deepsite.render;

import java.util.ArrayList;
import java.util.List;

/** Splits a template into text, expressions, statements and comments. */
final class TemplateScanner {

    enum Kind {
        TEXT,
        EXPRESSION,
        STATEMENT,
        COMMENT
    }

    /**
     * @param inner without the delimiters and white-space control signs
     * @param line of the text on which it starts
     * @param closed whether the closing delimiter was found
     */
    record Segment(Kind kind, String inner, int line, boolean closed) {}

    private final String text;
    private final List<Segment> segments = new ArrayList<>();
    private int line = 1;

    private TemplateScanner(String text) {
        this.text = text;
    }

    static List<Segment> scan(String text) {
        var scanner = new TemplateScanner(text);
        scanner.run();
        return scanner.segments;
    }

    /** Whether the text is more than itself. */
    static boolean hasMarkup(String text) {
        return new TemplateScanner(text).nextOpening(0) < text.length();
    }

    private void run() {
        int at = 0;
        while (at < text.length()) {
            int open = nextOpening(at);
            if (open > at) {
                add(Kind.TEXT, text.substring(at, open), at, open, true);
            }
            if (open == text.length()) {
                return;
            }
            var kind = kindOf(text.charAt(open + 1));
            int close = closing(kind, open + 2);
            int end = close < 0 ? text.length() : close + 2;
            add(kind, bare(text.substring(open + 2, close < 0 ? text.length() : close)), open, end, close >= 0);
            at = end;
        }
    }

    private void add(Kind kind, String inner, int from, int to, boolean closed) {
        segments.add(new Segment(kind, inner, line, closed));
        line += (int) text.substring(from, to).chars().filter(c -> c == '\n').count();
    }

    private int nextOpening(int from) {
        for (int i = from; i + 1 < text.length(); i++) {
            if (text.charAt(i) == '{' && "{%#".indexOf(text.charAt(i + 1)) >= 0) {
                return i;
            }
        }
        return text.length();
    }

    private static Kind kindOf(char second) {
        return switch (second) {
            case '{' -> Kind.EXPRESSION;
            case '%' -> Kind.STATEMENT;
            default -> Kind.COMMENT;
        };
    }

    /** Index of the closing delimiter outside quotes; -1 for none. */
    private int closing(Kind kind, int from) {
        char first = kind == Kind.EXPRESSION ? '}' : kind == Kind.STATEMENT ? '%' : '#';
        char quote = 0;
        int braces = 0;
        for (int i = from; i + 1 < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (kind != Kind.COMMENT && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == '{') {
                braces++;
            } else if (c == first && text.charAt(i + 1) == '}' && (kind != Kind.EXPRESSION || braces == 0)) {
                return i;
            } else if (c == '}') {
                braces--;
            }
        }
        return -1;
    }

    private static String bare(String inner) {
        var start = inner.startsWith("-") || inner.startsWith("+") ? 1 : 0;
        var end = inner.length() > start && inner.endsWith("-") ? inner.length() - 1 : inner.length();
        return inner.substring(start, end).strip();
    }
}
