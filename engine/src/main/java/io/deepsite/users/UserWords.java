package io.deepsite.users;

import io.deepsite.site.Name;
import io.deepsite.site.User;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Users in words. */
final class UserWords {
    private UserWords() {}

    static String of(User user) {
        return "uid " + user.uid()
                + (user.groups().isEmpty() ? "" : ", groups " + names(user.groups()))
                + ", " + keys(user.keys());
    }

    static String difference(User before, User next) {
        var words = new ArrayList<String>();
        if (!before.name().equals(next.name())) {
            words.add("name: " + before.name().orElse("(none)") + " -> "
                    + next.name().orElse("(none)"));
        }
        if (!before.groups().equals(next.groups())) {
            words.add("groups: " + names(before.groups()) + " -> " + names(next.groups()));
        }
        if (!before.keys().equals(next.keys())) {
            words.add(keys(next.keys()) + ", of which " + count(next.keys(), before.keys()) + " new, "
                    + count(before.keys(), next.keys()) + " gone");
        }
        return String.join("; ", words);
    }

    /** Type and key, and of the comment what is no sign of YAML or of a parameter. */
    static String key(String line) {
        var words = line.strip().split("\\s+", 3);
        var comment = words.length < 3
                ? ""
                : words[2].replaceAll("[^A-Za-z0-9@._+-]+", " ").strip();
        return words[0] + " " + words[1] + (comment.isEmpty() ? "" : " " + comment);
    }

    private static long count(List<String> keys, Collection<String> without) {
        return keys.stream().filter(key -> !without.contains(key)).count();
    }

    private static String keys(List<String> keys) {
        return keys.size() + (keys.size() == 1 ? " key" : " keys");
    }

    private static String names(List<Name> groups) {
        return groups.isEmpty() ? "(none)" : groups.stream().map(Name::value).collect(Collectors.joining(" "));
    }
}
