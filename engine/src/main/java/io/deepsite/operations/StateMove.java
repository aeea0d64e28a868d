package io.deepsite.operations;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.report.Evidence;
import io.deepsite.state.SiteState;
import io.deepsite.state.SiteStores;

/**
 * Moves what is recorded of a site, with its secrets, to another store. Until the end it is in both; a move that was
 * killed is done again.
 */
public final class StateMove {
    private final SiteContext from;
    private final SiteStores to;

    /** @param to of the same site */
    public StateMove(SiteContext from, SiteStores to) {
        this.from = from;
        this.to = to;
    }

    /** @throws Failure NOT_MOVED, LOCK_HELD: then nothing was changed */
    public void run() {
        if (to.place().equals(from.records().place())) {
            throw refused("The records of this site are in " + to.place() + " already.", "Name the other store.");
        }
        try (var _ = from.lock().acquire("state move");
                var _ = to.lock().acquire("state move")) {
            var state = from.state();
            refuseUnlessItCanMove(state);
            from.records().vault().read().ifPresent(to.vault()::replace);
            if (to.isShared()) {
                from.loginKey().copyTo(from.secretsIn(to.vault()));
            } else {
                // This machine may not have used it yet.
                var _ = from.loginKey().file();
            }
            if (to.state().read().isEmpty()) {
                to.state().write(state.asNew());
            }
            new Evidence(from.records().lastResults()).copyTo(to.lastResults());
            from.records().forget();
        }
    }

    private void refuseUnlessItCanMove(SiteState state) {
        if (state.serial() == 0) {
            throw refused(
                    "Nothing is recorded of this site in " + from.records().place() + ".", "Name its store.");
        }
        if (!from.records().openIntents().isEmpty()) {
            throw refused("An apply was interrupted, and its journal does not move.", "Let apply finish first.");
        }
        to.state().read().filter(there -> !there.asNew().equals(state.asNew())).ifPresent(there -> {
            throw refused(
                    to.place() + " has records of a site " + state.site() + " already, of "
                            + (there.lineage().equals(state.lineage())
                                    ? "this site at another time."
                                    : "another site."),
                    "Use another name for one of the sites, or another store.");
        });
    }

    private static Failure refused(String why, String fix) {
        return new Failure(Diagnostic.error(Code.NOT_MOVED, why + " Nothing was changed.", fix));
    }
}
