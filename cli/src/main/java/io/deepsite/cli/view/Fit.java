package io.deepsite.cli.view;

/** Fits text to a width. */
final class Fit {
    private Fit() {}

    /** At most this many characters; {@code …} replaces what is cut off. */
    static String cut(String text, int width) {
        var line = text.replace('\n', ' ').replace('\t', ' ');
        if (width <= 0) {
            return "";
        }
        return line.codePointCount(0, line.length()) <= width
                ? line
                : line.substring(0, line.offsetByCodePoints(0, width - 1)) + "…";
    }

    /** Exactly this many characters. */
    static String pad(String text, int width) {
        var cut = cut(text, width);
        return cut + " ".repeat(Math.max(0, width - cut.codePointCount(0, cut.length())));
    }

    /** A bar of this many characters. */
    static String bar(int done, int of, int width) {
        int full = of <= 0 ? 0 : Math.clamp((long) done * width / of, 0, width);
        return "━".repeat(full) + "─".repeat(width - full);
    }
}
