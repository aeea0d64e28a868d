package io.deepsite.users;

import io.deepsite.site.Name;
import io.deepsite.site.User;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The text of a file of users: one order and one layout, so that its history shows changes only. */
public final class UsersFileText {
    private static final String HEAD = """
            # Users that `deepsite users import` brought. Review it, and commit it: the next import writes it anew, without
            # comments. Who left stays here with locked: true, so that nobody else gets the uid.
            """;

    private UsersFileText() {}

    public static String of(Map<Name, User> users) {
        var text = new StringBuilder(HEAD);
        text.append(users.isEmpty() ? "users: {}\n" : "users:\n");
        users.forEach((name, user) -> one(text, name, user));
        return text.toString();
    }

    private static void one(StringBuilder text, Name name, User user) {
        text.append("  ").append(quoted(name.value())).append(":\n");
        line(text, "uid", Integer.toString(user.uid()));
        user.name().ifPresent(full -> line(text, "name", quoted(full)));
        if (!user.groups().isEmpty()) {
            line(text, "groups", list(user.groups().stream().map(Name::value).toList()));
        }
        if (!user.shell().equals("/bin/bash")) {
            line(text, "shell", quoted(user.shell()));
        }
        if (!user.keys().isEmpty()) {
            text.append("    keys:\n");
            user.keys()
                    .forEach(key -> text.append("      - ").append(quoted(key)).append('\n'));
        }
        if (user.locked()) {
            line(text, "locked", "true");
        }
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append("    ").append(key).append(": ").append(value).append('\n');
    }

    private static String list(List<String> names) {
        return names.stream().map(UsersFileText::quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Names such as on, no and 1e3 are other things where they are not quoted. */
    private static String quoted(String text) {
        return text.matches("[a-z][a-z0-9-]*") && !text.matches("y|n|yes|no|on|off|true|false|null")
                ? text
                : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
