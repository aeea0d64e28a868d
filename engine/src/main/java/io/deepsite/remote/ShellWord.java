package io.deepsite.remote;

import java.util.List;
import java.util.stream.Collectors;

/** Text as one word of a POSIX shell, whatever is in it. */
public final class ShellWord {
    private ShellWord() {}

    /**
     * Within single quotes a shell gives no sign a meaning.
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

    /** A line that makes a variable of the environment. */
    static String export(String name, String value) {
        if (!name.matches("[A-Z][A-Z0-9_]*")) {
            throw new IllegalArgumentException("not the name of a variable: " + name);
        }
        return "export " + name + "=" + quote(value) + "\n";
    }
}
