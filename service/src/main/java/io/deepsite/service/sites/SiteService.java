package io.deepsite.service.sites;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.PlainText;
import io.deepsite.service.catalogue.Amounts;
import io.deepsite.service.catalogue.OrderedYaml;
import io.deepsite.service.records.Tables;
import io.deepsite.service.sites.RunRow.Verb;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.SiteLoader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.json.JsonMapper;

/** What people do with sites. Each call is one transaction; the work itself is done by {@link SiteWork}. Any thread may call. */
public final class SiteService {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int TIMES = 9;
    private static final int LONGEST_TITLE = 80;

    private final Tables tables;
    private final SiteLoader loader;
    private final Projects projects;
    private final InstantSource clock;
    private final Runnable wake;

    /** @param wake begins what can begin, after each change */
    public SiteService(Tables tables, SiteLoader loader, Map<Name, Quota> quotas, InstantSource clock, Runnable wake) {
        this.tables = tables;
        this.loader = loader;
        this.projects = new Projects(quotas, clock);
        this.clock = clock;
        this.wake = wake;
    }

    /**
     * What somebody orders.
     *
     * @param template empty if the site.yaml is the user's own
     * @param yaml a site.yaml; its name is replaced
     * @param account whether the caller gets an account on it; the site.yaml has no users then
     * @param startsAt when it may be built; empty: at once
     */
    public record Order(
            Name project,
            String title,
            Optional<String> template,
            String yaml,
            boolean account,
            SortedMap<String, String> parameters,
            Optional<Instant> startsAt) {
        public Order {
            parameters = new TreeMap<>(parameters);
        }
    }

    /** How many rows have two things in common. */
    public record Count(String of, String what, long number) {}

    /** @param place in the queue of its project, from 1; empty: it does not wait */
    public record View(SiteRow site, List<RunRow> runs, Optional<Integer> place, Optional<Duration> left) {}

    /**
     * Keeps the order and begins its plan.
     *
     * @param key of the caller: the same order with the same key is one order
     * @throws Failure KEY_REUSED, or with the faults of its parameters or its site.yaml
     */
    public View order(Caller caller, Order order, Optional<String> key) {
        var now = clock.instant();
        var id = Ids.random();
        var name = Ids.siteName(order.template().orElse("site"));
        var named = OrderedYaml.named(order.yaml(), name);
        var account = order.account() ? Optional.of(OrderedYaml.account(caller.name())) : Optional.<String>empty();
        var yaml = account.map(login -> OrderedYaml.withUser(named, login)).orElse(named);
        var site = loader.load("site.yaml", yaml, order.parameters()).orFail();
        if (!site.name().value().equals(name)) {
            throw new Failure(Diagnostic.error(
                    Code.REQUEST,
                    "The name of the site is not at the left of a line of its own.",
                    "Write site: NAME."));
        }
        var row = new SiteRow(
                id,
                name,
                title(order.title()),
                order.project().value(),
                caller.id(),
                caller.name(),
                order.template(),
                account,
                order.parameters(),
                yaml,
                SiteStatus.PLANNING,
                1,
                0,
                false,
                Amounts.of(site),
                now,
                order.startsAt().orElse(now),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return changed(handle -> {
            var before = key.flatMap(one -> Idempotency.find(handle, caller, one, order));
            if (before.isPresent()) {
                return before.get();
            }
            key.ifPresent(one -> Idempotency.keep(handle, caller, one, order, id, now));
            handle.execute("INSERT INTO service.project (name) VALUES (?) ON CONFLICT DO NOTHING", row.project());
            SiteTable.insert(handle, row);
            begin(handle, caller, row, Verb.PLAN);
            return id;
        });
    }

    /** One line, without what neither a database nor a page can hold. */
    private static String title(String typed) {
        return PlainText.of(typed.replaceAll("\\s+", " ").strip(), LONGEST_TITLE);
    }

    /** What a site of these parameters would count for, beside what its project has. */
    public List<Quota.Share> cost(Name project, String yaml, Map<String, String> parameters) {
        var site = loader.load("site.yaml", yaml, parameters).orFail();
        return tables.in(handle -> projects.shares(handle, project, Amounts.of(site), lease(site)));
    }

    /** What a project uses. */
    public List<Quota.Share> usage(Name project) {
        return tables.in(handle -> projects.shares(handle, project, Amounts.NONE, Duration.ZERO));
    }

    /** @throws Failure NOT_FOUND */
    public View site(String id) {
        return tables.in(handle -> view(handle, SiteTable.find(handle, id).orElseThrow(SiteService::unknown)));
    }

    /**
     * The latest first.
     *
     * @param only of this person; empty: all
     */
    public List<SiteRow> sites(
            Name project, Optional<String> only, boolean deleted, Optional<String> before, int limit) {
        return tables.in(handle -> SiteTable.of(
                handle,
                project.value(),
                only,
                deleted,
                before.map(id -> SiteTable.find(handle, id).orElseThrow(SiteService::unknown)),
                limit));
    }

    /** By project and state. */
    public List<Count> counts() {
        return tables.in(handle -> SiteTable.counts(
                handle, "SELECT project, status, count(*) FROM service.site GROUP BY project, status"));
    }

    /** By verb and status. */
    public List<Count> runCounts() {
        return tables.in(handle ->
                SiteTable.counts(handle, "SELECT verb, status, count(*) FROM service.run GROUP BY verb, status"));
    }

    public List<EventRow> events(String site, long after, int limit) {
        return tables.in(handle -> RunTable.events(handle, site, after, limit));
    }

    public List<AuditTable.Entry> audit(Name project, long before, int limit) {
        return tables.in(handle -> AuditTable.before(handle, project.value(), before, limit));
    }

    /**
     * The yes to its plan.
     *
     * @param waits whether it may wait for others to end, if the quota is full now
     * @param version that the caller saw; empty: any
     * @throws Failure NOT_NOW, CHANGED_MEANWHILE, QUOTA
     */
    public View confirm(Caller caller, String id, boolean waits, Optional<Long> version) {
        return change(id, version, EnumSet.of(SiteStatus.PLANNED), "confirmed", (handle, site) -> {
            var shares = projects.shares(handle, site, loader);
            if (!shares.stream().allMatch(Quota.Share::canEverFit)
                    || (!waits && !shares.stream().allMatch(Quota.Share::fits))) {
                throw Projects.refused(shares);
            }
            SiteTable.status(handle, id, SiteStatus.WAITING);
            begin(handle, caller, site, Verb.APPLY);
        });
    }

    /**
     * Stops the run that waits or works: what is in flight ends; asked again, that is stopped, too.
     *
     * @throws Failure NOT_NOW
     */
    public View cancel(Caller caller, String id) {
        return changed(handle -> {
            var site = locked(handle, id);
            var open = RunTable.open(handle, id);
            if (open.isEmpty() || open.getFirst().verb() == Verb.DELETE) {
                throw notNow(site, open.isEmpty() ? "Nothing works on it." : "It is being deleted, which goes on.");
            }
            var run = open.getFirst();
            if (run.status() == RunRow.Status.QUEUED) {
                end(handle, run, RunRow.Status.CANCELLED);
                SiteTable.status(handle, id, run.verb() == Verb.PLAN ? SiteStatus.FAILED : SiteStatus.PLANNED);
            } else {
                RunTable.cancel(handle, run.id());
            }
            note(handle, caller, site, "cancelled");
            return id;
        });
    }

    /**
     * Goes on where the last run failed.
     *
     * @throws Failure NOT_NOW
     */
    public View retry(Caller caller, String id) {
        return change(id, Optional.empty(), EnumSet.of(SiteStatus.FAILED), "tried again", (handle, site) -> {
            var last = RunTable.of(handle, id).getFirst().verb();
            SiteTable.status(
                    handle,
                    id,
                    switch (last) {
                        case PLAN -> SiteStatus.PLANNING;
                        case APPLY -> site.holdsQuota() ? SiteStatus.BUILDING : SiteStatus.WAITING;
                        case DELETE -> SiteStatus.DELETING;
                    });
            begin(handle, caller, site, last);
        });
    }

    /** In every state but the last; what works on the site is stopped first. */
    public View delete(Caller caller, String id) {
        var all = EnumSet.complementOf(EnumSet.of(SiteStatus.DELETED, SiteStatus.DELETING));
        return change(id, Optional.empty(), all, "to be deleted", (handle, site) -> {
            for (var run : RunTable.open(handle, id)) {
                if (run.status() == RunRow.Status.QUEUED) {
                    end(handle, run, RunRow.Status.CANCELLED);
                } else {
                    RunTable.cancel(handle, run.id());
                }
            }
            SiteTable.status(handle, id, SiteStatus.DELETING);
            begin(handle, caller, site, Verb.DELETE);
        });
    }

    /** Writes down what somebody did that concerns no site. */
    public void audited(Caller caller, String action) {
        tables.in(handle -> {
            AuditTable.add(handle, clock.instant(), caller, action);
            return action;
        });
    }

    /** Writes down that something was done that changes nothing here. */
    public void told(Caller caller, String id, String what) {
        changed(handle -> {
            note(handle, caller, locked(handle, id), what);
            return id;
        });
    }

    /** Writes down that a lease was extended. */
    public View extended(Caller caller, String id, Instant end) {
        return changed(handle -> {
            var site = locked(handle, id);
            SiteTable.endsAt(handle, id, end);
            note(handle, caller, site, "lease extended to " + end);
            return id;
        });
    }

    private interface Step {
        void run(Handle handle, SiteRow site);
    }

    private View change(String id, Optional<Long> version, Set<SiteStatus> from, String action, Step step) {
        return changed(handle -> {
            var site = locked(handle, id);
            if (version.filter(seen -> seen != site.version()).isPresent()) {
                throw new Failure(Diagnostic.error(
                        Code.CHANGED_MEANWHILE,
                        "The site was changed since it was read (version " + site.version() + " now).",
                        "Read it again, then decide."));
            }
            if (!from.contains(site.status())) {
                throw notNow(site, "It cannot be " + action + " now.");
            }
            step.run(handle, site);
            return id;
        });
    }

    private interface Change {
        String in(Handle handle);
    }

    private View changed(Change change) {
        var id = tables.in(change::in);
        wake.run();
        return site(id);
    }

    private void begin(Handle handle, Caller caller, SiteRow site, Verb verb) {
        var now = clock.instant();
        RunTable.insert(handle, Ids.random(), site.id(), verb, caller.id(), now);
        note(handle, caller, site, verb.word());
    }

    /** For the site's events, and for the audit. */
    private void note(Handle handle, Caller caller, SiteRow site, String what) {
        var now = clock.instant();
        AuditTable.add(handle, now, caller, what, site, site.title());
        RunTable.addEvent(
                handle,
                site.id(),
                Optional.empty(),
                now,
                JSON.writeValueAsString(new TreeMap<>(Map.of("event", "asked", "what", what, "by", caller.name()))));
    }

    private void end(Handle handle, RunRow run, RunRow.Status status) {
        RunTable.end(handle, run, status, Optional.empty(), Optional.empty(), clock.instant());
    }

    private View view(Handle handle, SiteRow site) {
        var runs = RunTable.of(handle, site.id());
        var place = site.status() == SiteStatus.WAITING
                ? Optional.of(1
                        + SiteTable.waiting(handle).stream()
                                .filter(other -> other.project().equals(site.project()))
                                .map(SiteRow::id)
                                .toList()
                                .indexOf(site.id()))
                : Optional.<Integer>empty();
        return new View(site, runs, place, left(handle, site, runs));
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

    static Duration lease(Site site) {
        return site.lease().map(terms -> terms.duration().duration()).orElse(Duration.ZERO);
    }

    private static SiteRow locked(Handle handle, String id) {
        return SiteTable.lock(handle, id).orElseThrow(SiteService::unknown);
    }

    public static Failure unknown() {
        return new Failure(Diagnostic.error(
                Code.NOT_FOUND,
                "There is no such site, or it is none of yours.",
                "GET /v1/sites lists those you see."));
    }

    private static Failure notNow(SiteRow site, String why) {
        return new Failure(Diagnostic.error(
                Code.NOT_NOW,
                why + " Its state is " + site.status().word() + ".",
                site.status() == SiteStatus.DELETED ? "" : "Look at its events, then try again."));
    }
}
