package io.deepsite.session;

import io.deepsite.plan.Planner;
import io.deepsite.provider.ObservedResource;
import java.util.List;

/** Things on the back-end that carry this site's name and that its state does not know. */
public final class Orphans {
    private Orphans() {}

    /** Of another lineage, or of ours and not recorded; the latter an apply would finish, too. */
    public static List<ObservedResource> of(SiteSession session) {
        var state = session.state();
        var owned = session.survey().owned();
        if (state.serial() == 0) {
            // Without a state everything would look like an orphan: that is a lost memory, not a leftover.
            Planner.refuseForeignLineage(session.site().name(), owned, state);
        }
        return owned.stream()
                .filter(resource -> !resource.tags().lineage().equals(state.lineage())
                        || !state.resources().containsKey(resource.id().toString()))
                .toList();
    }
}
