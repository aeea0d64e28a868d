package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Nearest;
import java.util.Collection;
import java.util.List;

/** Diagnostics for references that OpenNebula does not have. They list what it has, the nearest name first. */
final class MissingReference {
    private static final int SHOWN = 12;

    private final String front;

    /** @param front how messages name the front-end */
    MissingReference(String front) {
        this.front = front;
    }

    /**
     * @param who what names it, as the subject of a sentence: {@code The machine group node}
     * @param what such as {@code datastore}
     * @param list the command that lists them
     */
    Diagnostic thing(
            Code code,
            String who,
            String what,
            String name,
            List<? extends Snapshot.Thing> known,
            String otherwise,
            String list) {
        var names = known.stream().map(Snapshot.Thing::name).toList();
        return Diagnostic.error(
                code,
                who + " names the " + what + " " + name + ", but " + front + " shows no such name or id. "
                        + offered(what, names),
                Nearest.to(name, names)
                                .map(word -> "Did you mean " + word + "? ")
                                .orElse("")
                        + otherwise,
                list);
    }

    static String offered(String what, Collection<String> known) {
        var names = known.stream().distinct().sorted().toList();
        if (names.isEmpty()) {
            return "It shows this user no " + what + ".";
        }
        int more = names.size() - SHOWN;
        return "It has " + String.join(", ", names.subList(0, Math.min(SHOWN, names.size())))
                + (more > 0 ? " and " + more + " more." : ".");
    }
}
