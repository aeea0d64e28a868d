package io.deepsite.operations;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.load.LoadResult;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** A uid that an import gave stays with its user for ever, also against one that is typed into site.yaml. */
public final class ImportedUids {
    private ImportedUids() {}

    /** @throws Failure UID_OF_ANOTHER with all users who have somebody else's */
    static void refuseOthers(LoadResult loaded, SiteState state) {
        var faults = faults(loaded, state);
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
    }

    public static List<Diagnostic> faults(LoadResult loaded, SiteState state) {
        var owners = new HashMap<Integer, String>();
        state.users().forEach((login, user) -> owners.put(user.uid(), login));
        var faults = new ArrayList<Diagnostic>();
        loaded.site()
                .ifPresent(site -> site.users().forEach((name, user) -> {
                    var owner = owners.get(user.uid());
                    if (owner != null && !owner.equals(name.value())) {
                        faults.add(Diagnostic.error(
                                Code.UID_OF_ANOTHER,
                                loaded.where("users." + name + ".uid"),
                                "An import gave the uid " + user.uid() + " to " + owner
                                        + ", whose files carry it for ever, also when " + owner + " left.",
                                "Give " + name + " another uid."));
                    }
                }));
        return faults;
    }
}
