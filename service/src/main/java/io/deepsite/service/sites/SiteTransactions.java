package io.deepsite.service.sites;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.records.Tables;
import io.deepsite.service.sites.RunRow.Verb;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.json.JsonMapper;

/** One transaction for each thing that somebody asks: it locks the site, changes it, and wakes who works. */
final class SiteTransactions {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int TIMES = 9;

    private final Tables tables;
    private final InstantSource clock;
    private final Runnable wake;

    /** @param wake begins what can begin, after each change */
    SiteTransactions(Tables tables, InstantSource clock, Runnable wake) {
        this.tables = tables;
        this.clock = clock;
        this.wake = wake;
    }

    interface Step {
        void run(Handle handle, SiteRow site);
    }

    interface Change {
        /** @return the site's id */
        String in(Handle handle);
    }

    /**
     * @param version that the caller saw; empty: any
     * @param from states in which this can be done
     * @param action as in: cannot be confirmed
     * @throws Failure NOT_FOUND, CHANGED_MEANWHILE, NOT_NOW
     */
    SiteService.View change(String id, Optional<Long> version, Set<SiteStatus> from, String action, Step step) {
        return changed(handle -> {
            var site = locked(handle, id);
            requireVersion(site, version);
            if (!from.contains(site.status())) {
                throw notNow(site, "It cannot be " + action + " now.");
            }
            step.run(handle, site);
            return id;
        });
    }

    static void requireVersion(SiteRow site, Optional<Long> version) {
        if (version.filter(seen -> seen != site.version()).isPresent()) {
            throw new Failure(Diagnostic.error(
                    Code.CHANGED_MEANWHILE,
                    "The site was changed since it was read (version " + site.version() + " now).",
                    "Read it again, then decide."));
        }
    }

    SiteService.View changed(Change change) {
        var id = tables.in(change::in);
        wake.run();
        return site(id);
    }

    /** @throws Failure NOT_FOUND */
    SiteService.View site(String id) {
        return tables.in(handle -> view(handle, SiteTable.find(handle, id).orElseThrow(SiteService::unknown)));
    }

    void begin(Handle handle, Caller caller, SiteRow site, Verb verb) {
        RunTable.insert(handle, Ids.random(), site.id(), verb, caller.id(), clock.instant());
        note(handle, caller, site, verb.word());
    }

    /** For the site's events, and for the audit. */
    void note(Handle handle, Caller caller, SiteRow site, String what) {
        var now = clock.instant();
        AuditTable.add(handle, now, caller, what, site, site.title());
        RunTable.addEvent(
                handle,
                site.id(),
                Optional.empty(),
                now,
                JSON.writeValueAsString(new TreeMap<>(Map.of("event", "asked", "what", what, "by", caller.name()))));
    }

    static SiteRow locked(Handle handle, String id) {
        return SiteTable.lock(handle, id).orElseThrow(SiteService::unknown);
    }

    static Failure notNow(SiteRow site, String why) {
        return new Failure(Diagnostic.error(
                Code.NOT_NOW,
                why + " Its state is " + site.status().word() + ".",
                site.status() == SiteStatus.DELETED ? "" : "Look at its events, then try again."));
    }

    private SiteService.View view(Handle handle, SiteRow site) {
        var runs = RunTable.of(handle, site.id());
        var place = site.status() == SiteStatus.WAITING
                ? Optional.of(1
                        + SiteTable.waiting(handle).stream()
                                .filter(other -> other.project().equals(site.project()))
                                .map(SiteRow::id)
                                .toList()
                                .indexOf(site.id()))
                : Optional.<Integer>empty();
        return new SiteService.View(site, runs, place, left(handle, site, runs));
    }

    /** By the median of former runs of the same template. */
    private Optional<Duration> left(Handle handle, SiteRow site, List<RunRow> runs) {
        var running = runs.stream()
                .filter(run -> run.status() == RunRow.Status.RUNNING)
                .findFirst();
        if (running.isEmpty() || site.template().isEmpty()) {
            return Optional.empty();
        }
        var times = RunTable.times(handle, site.template().get(), running.get().verb(), TIMES).stream()
                .sorted()
                .toList();
        if (times.isEmpty()) {
            return Optional.empty();
        }
        var so = Duration.between(running.get().begunAt().orElseThrow(), clock.instant());
        var left = times.get(times.size() / 2).minus(so);
        return Optional.of(left.isNegative() ? Duration.ZERO : left);
    }
}
