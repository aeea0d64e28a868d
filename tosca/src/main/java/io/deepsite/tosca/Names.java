package io.deepsite.tosca;

import java.util.Collection;
import java.util.Locale;

/** Names of site.yaml made of names of a template, which may have capitals and underscores. */
final class Names {
    private static final int LONGEST = 36;

    private Names() {}

    static String of(String name) {
        var words = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^[^a-z]+|-+$", "");
        var whole = words.isEmpty() ? "part" : words;
        return whole.length() <= LONGEST ? whole : whole.substring(0, LONGEST).replaceAll("-+$", "");
    }

    /** The same with a number, if it is taken. */
    static String unused(String name, Collection<String> taken) {
        var first = of(name);
        var free = first;
        for (int number = 2; taken.contains(free); number++) {
            free = first + "-" + number;
        }
        return free;
    }
}
