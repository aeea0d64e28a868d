package io.deepsite.service.catalogue;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The site.yaml of an order: that of its template, with a name of its own. */
public final class OrderedYaml {
    /** Of the first account: those of systems end below. */
    public static final int UID = 2001;

    private static final int LONGEST = 30;
    private static final Pattern NAME = Pattern.compile("(?m)^site:[^\\r\\n]*$");

    private OrderedYaml() {}

    /** Other bytes stay. The caller checks that it has this name then. */
    public static String named(String yaml, String name) {
        return NAME.matcher(yaml).replaceFirst(Matcher.quoteReplacement("site: " + name));
    }

    /** With one account, in a file that has none. */
    public static String withUser(String yaml, String account) {
        return yaml + (yaml.endsWith("\n") ? "" : "\n") + "\n# Who ordered it, and with whom it is shared.\nusers:\n"
                + line(account, UID);
    }

    /** With one more account, in a file that {@link #withUser} made. */
    public static String withAnother(String yaml, String account, int uid) {
        return yaml + line(account, uid);
    }

    /** Without an account that {@link #withAnother} gave. */
    public static String without(String yaml, String account, int uid) {
        var line = line(account, uid);
        int at = yaml.lastIndexOf("\n" + line);
        return at < 0 ? yaml : yaml.substring(0, at + 1) + yaml.substring(at + 1 + line.length());
    }

    private static String line(String account, int uid) {
        return "  " + account + ": {uid: " + uid + "}\n";
    }

    /** The name of an account for a person of this name; it is no name that systems use. */
    public static String account(String person) {
        var plain = Normalizer.normalize(person, Normalizer.Form.NFKD)
                .toLowerCase(Locale.ROOT)
                .replaceAll("\\p{M}+", "")
                .replaceAll("[^a-z0-9]+", " ")
                .strip()
                .replace(' ', '-')
                .replaceFirst("^[^a-z]+", "");
        var cut = plain.length() > LONGEST ? plain.substring(0, LONGEST) : plain;
        return "u-" + (cut.isEmpty() ? "user" : cut.replaceAll("-+$", ""));
    }
}
