package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Nearest;
import java.util.Collection;

/** Diagnostics for a name in site.yaml that the cloud does not have: they list what it has, the nearest name first. */
final class MissingReference {
    private static final int SHOWN = 12;

    private final String cloud;

    /** @param cloud how messages name the cloud */
    MissingReference(String cloud) {
        this.cloud = cloud;
    }

    /**
     * @param who needs it, as the start of a sentence: {@code The machine group node}
     * @param what such as {@code flavor}
     */
    Diagnostic thing(
            Code code, String who, String what, String name, Collection<String> known, String otherwise, String list) {
        var nearest = Nearest.to(name, known);
        return Diagnostic.error(
                code,
                who + " names the " + what + " " + name + ", and " + cloud + " has none of that name. "
                        + offered(what, known),
                nearest.map(word -> "Did you mean " + word + "? ").orElse("") + otherwise,
                list);
    }

    static String offered(String what, Collection<String> known) {
        var names = known.stream().distinct().sorted().toList();
        if (names.isEmpty()) {
            return "It shows no " + what + " at all.";
        }
        int more = names.size() - SHOWN;
        return "It has " + String.join(", ", names.subList(0, Math.min(SHOWN, names.size())))
                + (more > 0 ? " and " + more + " more." : ".");
    }
}
