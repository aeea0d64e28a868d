package io.deepsite.session;

import io.deepsite.provider.ObservedResource;
import java.util.List;

/** Things on the back-end that carry this site's name and that its state does not know. */
public final class Orphans {
    private Orphans() {}

    /** Of another lineage, or of ours and not recorded; the latter an apply would finish, too. */
    public static List<ObservedResource> of(SiteSession session) {
        var state = session.state();
        return session.survey().owned().stream()
                .filter(resource -> !resource.tags().lineage().equals(state.lineage())
                        || !state.resources().containsKey(resource.id().toString()))
                .toList();
    }
}
