package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Where;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The faults found so far, and the paths they make unsound: a check that leans on an unsound path stays silent, so that
 * one slip gives one message.
 */
public final class Findings {
    private static final int SHOWN = 100;
    private static final Comparator<Where> BY_PLACE =
            Comparator.comparingInt(Where::line).thenComparingInt(Where::column);

    private final List<Diagnostic> found = new ArrayList<>();
    private final Set<String> unsound = new HashSet<>();

    public void fault(Code code, Where where, String why, String fix, String... commands) {
        found.add(Diagnostic.error(code, where, why, fix, commands));
        markUnsound(where.path());
    }

    /** Silent where the path is unsound already. */
    public void faultOnce(Code code, Where where, String why, String fix, String... commands) {
        if (!isUnsound(where.path())) {
            fault(code, where, why, fix, commands);
        }
    }

    /** Of a key that the file gives and that changes nothing; silent where it does not give it, or it is unsound already. */
    public void noEffect(Places places, String path, String why) {
        noEffect(places, path, why, "Remove the key.");
    }

    /** The same for a key that takes effect with another one. */
    public void noEffect(Places places, String path, String why, String fix) {
        if (places.has(path)) {
            faultOnce(Code.NO_EFFECT, places.ofKey(path), why, fix);
        }
    }

    /** Worth telling, and no reason to refuse the site. */
    public void warning(Code code, Where where, String why, String fix) {
        found.add(Diagnostic.warning(code, where, why, fix));
    }

    /** What the user should know of a site that has no fault there; the plan shows it, too. */
    public void note(Code code, Where where, String why, String fix) {
        found.add(Diagnostic.note(code, where, why, fix));
    }

    void markUnsound(String path) {
        unsound.add(path);
    }

    /** True when a fault was found at the path or at something that holds it. */
    public boolean isUnsound(String path) {
        for (String part = path; !part.isEmpty(); part = parent(part)) {
            if (unsound.contains(part)) {
                return true;
            }
        }
        return unsound.contains("");
    }

    static String parent(String path) {
        return path.substring(0, Math.max(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['))));
    }

    boolean none() {
        return found.stream().noneMatch(Diagnostic::isError);
    }

    /** In order of place; beyond a hundred only their number. */
    List<Diagnostic> sorted(Where file) {
        var all = found.stream()
                .sorted(Comparator.comparing((Diagnostic d) -> d.where() == null ? file : d.where(), BY_PLACE)
                        .thenComparing(Diagnostic::code))
                .distinct()
                .toList();
        if (all.size() <= SHOWN) {
            return all;
        }
        var shown = new ArrayList<>(all.subList(0, SHOWN));
        shown.add(Diagnostic.error(
                Code.MORE_FAULTS,
                file,
                "The first " + SHOWN + " faults are shown; there are " + (all.size() - SHOWN) + " more.",
                "Mend these first."));
        return shown;
    }
}
