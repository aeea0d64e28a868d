package io.deepsite.remote;

import java.util.List;
import java.util.stream.Collectors;

/** Quotes any text as one word of a POSIX shell. */
public final class ShellWord {
    private ShellWord() {}

    /**
     * Uses single quotes, in which no character is special.
     *
     * @throws IllegalArgumentException for a NUL, which no argument can hold
     */
    public static String quote(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("no argument can hold a NUL");
        }
        return "'" + text.replace("'", "'\\''") + "'";
    }

    /** As {@link #quote(String)}; a text that no shell changes stays as it is, for people to read. */
    public static String quoteIfNeeded(String text) {
        return text.matches("[A-Za-z0-9_@%+=:,./-]+") ? text : quote(text);
    }

    static String quote(List<String> words) {
        return words.stream().map(ShellWord::quote).collect(Collectors.joining(" "));
    }

    /** A line that exports an environment variable. */
    static String export(String name, String value) {
        if (!name.matches("[A-Z][A-Z0-9_]*")) {
            throw new IllegalArgumentException("not the name of a variable: " + name);
        }
        return "export " + name + "=" + quote(value) + "\n";
    }
}
