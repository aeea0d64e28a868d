package io.deepsite.service.sites;

import static io.deepsite.service.sites.SiteTable.time;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.records.Tables;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Which secrets of sites were shown to whom: each once, until a manager says otherwise. Any thread may call. */
public final class ShownSecrets {
    private final Tables tables;
    private final InstantSource clock;

    public ShownSecrets(Tables tables, InstantSource clock) {
        this.tables = tables;
        this.clock = clock;
    }

    /** When it was shown to somebody; empty: not yet. */
    public Optional<Instant> shownAt(SiteRow site, String secret, String person) {
        List<Instant> found = tables.in(handle -> handle.createQuery(
                        "SELECT at FROM service.shown_secret WHERE site = :site AND name = :name AND person = :person")
                .bind("site", site.id())
                .bind("name", secret)
                .bind("person", person)
                .map((row, _) -> time(row, "at").orElseThrow())
                .list());
        return found.stream().findFirst();
    }

    /**
     * Written down before it is shown: who asks twice at once sees it once.
     *
     * @throws Failure NOT_NOW, if it was shown already
     */
    public void show(Caller caller, SiteRow site, String secret) {
        tables.in(handle -> {
            int first = handle.execute(
                    "INSERT INTO service.shown_secret (site, name, person, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    site.id(),
                    secret,
                    caller.id(),
                    time(clock.instant()));
            if (first == 0) {
                throw new Failure(Diagnostic.error(
                        Code.NOT_NOW,
                        "The secret " + secret + " was shown to you already, and is shown once.",
                        "Ask a manager of the project " + site.project()
                                + " to let it be shown again: POST /v1/sites/" + site.id() + "/secrets/" + secret
                                + "/again, or the button on the page of the site. Or order a new site, which has secrets of"
                                + " its own."));
            }
            AuditTable.add(handle, clock.instant(), caller, "secret shown", site, secret);
            return first;
        });
    }

    /** Lets it be shown once more. */
    public void again(Caller caller, SiteRow site, String secret) {
        tables.in(handle -> {
            AuditTable.add(handle, clock.instant(), caller, "secret may be shown again", site, secret);
            return handle.execute("DELETE FROM service.shown_secret WHERE site = ? AND name = ?", site.id(), secret);
        });
    }
}
