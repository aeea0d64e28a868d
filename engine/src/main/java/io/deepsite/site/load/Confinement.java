package io.deepsite.site.load;

import io.deepsite.diag.Code;
import java.util.Set;

/**
 * Which keys a reading refuses because of who wrote them.
 *
 * @param everything nothing is refused
 * @param granted keys at the top of the file that somebody else wrote, who is trusted
 */
record Confinement(boolean everything, Set<String> granted) {
    static final Confinement NONE = new Confinement(true, Set.of());

    Confinement {
        granted = Set.copyOf(granted);
    }

    static Confinement but(Set<String> granted) {
        return new Confinement(false, granted);
    }

    /** @return whether it was refused, and the fault reported */
    boolean refuses(Field field, String path, Places places, Findings findings) {
        if (everything || field.confined() || granted.contains(top(path))) {
            return false;
        }
        findings.fault(
                Code.ADMINISTRATORS_KEY,
                places.ofKey(path),
                Wording.quoted(field.key()) + " may reach beyond the machines of the site, so users do not set it: "
                        + field.about(),
                "Remove the key, or ask the administrator for a template that has it.");
        return true;
    }

    private static String top(String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? path : path.substring(0, dot);
    }
}
