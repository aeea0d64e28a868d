package io.deepsite.diag;

import java.util.regex.Pattern;

/** Text that came from a host or a server, as it may be shown: nothing in it can play with a terminal. */
public final class PlainText {
    /** Control characters but tab and line break, marks that turn the direction of writing, halves of a character. */
    private static final Pattern NOT_SHOWN = Pattern.compile(
            "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\p{Cs}]");

    private PlainText() {}

    public static String of(String text) {
        return NOT_SHOWN.matcher(text.replace("\r\n", "\n")).replaceAll("?");
    }

    /** The first characters of it, at most {@code longest}. */
    public static String of(String text, int longest) {
        return of(text.length() > longest ? text.substring(0, longest) + "…" : text);
    }
}
