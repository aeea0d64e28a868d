package io.deepsite.site.load;

import io.deepsite.diag.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The small words of messages: quoting, lists, suggestions. What a user wrote is shown harmless and short. */
public final class Wording {
    private static final Pattern PASSWORD = Pattern.compile("://[^\\s/@:]*:[^\\s/@]*@");

    private static final int SHOWN = 60;

    private Wording() {}

    /** In quotes; control characters escaped, long texts cut. */
    public static String quoted(String text) {
        return '"' + safe(text) + '"';
    }

    /** Some address in the text names a user and a password: {@code http://user:password@…}. */
    static boolean holdsPassword(String text) {
        return PASSWORD.matcher(text).find();
    }

    static String safe(String text) {
        if (text.contains("PRIVATE KEY")) {
            return "(a private key)";
        }
        if (holdsPassword(text)) {
            return "(an address with a password)";
        }
        var out = new StringBuilder();
        int shown = 0;
        for (int point : text.codePoints().toArray()) {
            if (shown++ == SHOWN) {
                return out.append('…').toString();
            }
            if (isControl(point)) {
                out.append(String.format(Locale.ROOT, "\\u%04x", point));
            } else {
                out.appendCodePoint(point);
            }
        }
        return out.toString();
    }

    /** Characters that move a terminal's cursor or turn text around; none belongs in site.yaml. */
    static boolean isControl(int point) {
        return Character.isISOControl(point)
                || point == 0x2028
                || point == 0x2029
                || point == 0xFEFF
                || (point >= 0x202A && point <= 0x202E)
                || (point >= 0x2066 && point <= 0x2069);
    }

    /** {@code a, b or c}. */
    public static String anyOf(Collection<?> words) {
        return joined(words, " or ");
    }

    /** {@code a, b and c}. */
    public static String allOf(Collection<?> words) {
        return joined(words, " and ");
    }

    private static String joined(Collection<?> words, String last) {
        var list = words.stream().map(Object::toString).toList();
        if (list.size() < 2) {
            return String.join("", list);
        }
        return String.join(", ", list.subList(0, list.size() - 1)) + last + list.getLast();
    }

    /** {@code Did you mean "x"?}, else the fallback sentence. */
    public static String didYouMean(String written, Collection<String> known, String otherwise) {
        return Nearest.to(written, known)
                .map(near -> "Did you mean " + quoted(near) + "?")
                .orElse(otherwise);
    }

    static String capital(String sentence) {
        return sentence.isEmpty()
                ? sentence
                : sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
    }

    /** Ends a text with one full stop. */
    static String sentence(String text) {
        return List.of('.', '?', '!').contains(text.charAt(text.length() - 1)) ? text : text + ".";
    }
}
