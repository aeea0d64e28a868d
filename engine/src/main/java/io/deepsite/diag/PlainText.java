package io.deepsite.diag;

import java.util.regex.Pattern;

/** Makes text from a host or a server safe to show: no control sequence reaches the terminal. */
public final class PlainText {
    /** Control characters except tab and line break, bidirectional controls, lone surrogates. */
    private static final Pattern NOT_SHOWN = Pattern.compile(
            "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\p{Cs}]");

    private PlainText() {}

    public static String of(String text) {
        return NOT_SHOWN.matcher(text.replace("\r\n", "\n")).replaceAll("?");
    }

    /** Keeps at most {@code longest} characters. */
    public static String of(String text, int longest) {
        return of(text.length() > longest ? text.substring(0, longest) + "…" : text);
    }
}
