package io.deepsite.service.sites;

import io.deepsite.service.sites.RunRow.Verb;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** What becomes of a site when a run begins or has ended. Each call is part of the caller's transaction, which has locked the site. */
final class Outcome {
    private Outcome() {}

    /** The quota has room: it counts for what it has and for what it is to have. */
    static void hold(Handle handle, SiteRow site, Instant now) {
        SiteTable.hold(handle, site.id(), now);
        SiteTable.amounts(handle, site, site.needed(), now);
        SiteTable.status(handle, site.id(), SiteStatus.BUILDING);
    }

    /** @param done whether the run did all that it was to do */
    static void of(Handle handle, SiteRow site, Verb verb, boolean done, Instant now) {
        if (done && verb == Verb.DELETE) {
            SiteTable.release(handle, site.id(), now);
            SiteTable.status(handle, site.id(), SiteStatus.DELETED);
        } else if (site.status() == SiteStatus.DELETING && verb != Verb.DELETE) {
            // The run that deletes it comes next.
            return;
        } else if (verb == Verb.PLAN) {
            if (done) {
                SiteTable.status(handle, site.id(), SiteStatus.PLANNED);
            } else {
                dropped(handle, site, now);
            }
        } else if (verb == Verb.APPLY && done) {
            site.resize().ifPresent(resize -> {
                SiteTable.parameters(handle, site.id(), resize.parameters());
                SiteTable.amounts(handle, site, resize.amounts(), now);
            });
            SiteTable.resize(handle, site.id(), null);
            SiteTable.consents(handle, site.id(), List.of());
            SiteTable.built(handle, site.id());
            ready(handle, site, now);
        } else {
            SiteTable.status(handle, site.id(), SiteStatus.FAILED);
        }
    }

    /** Nobody said yes to its plan: a site that is built stays as it is. */
    static void dropped(Handle handle, SiteRow site, Instant now) {
        SiteTable.resize(handle, site.id(), null);
        SiteTable.consents(handle, site.id(), List.of());
        if (site.resize().filter(resize -> resize.before() == SiteStatus.READY).isPresent()) {
            ready(handle, site, now);
        } else {
            SiteTable.status(handle, site.id(), SiteStatus.FAILED);
        }
    }

    /** Users that came or went meanwhile come next. */
    private static void ready(Handle handle, SiteRow site, Instant now) {
        if (SiteTable.find(handle, site.id()).orElseThrow().usersChanged()) {
            RunTable.insert(handle, Ids.random(), site.id(), Verb.APPLY, Caller.SERVICE.id(), now);
            SiteTable.status(handle, site.id(), SiteStatus.BUILDING);
        } else {
            SiteTable.status(handle, site.id(), SiteStatus.READY);
        }
    }
}
