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
import java.util.SortedMap;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/** What people do with sites. Each call is one transaction; the work itself is done by {@link SiteWork}. Any thread may call. */
public final class SiteService {
    private static final int LONGEST_TITLE = 80;

    private final Tables tables;
    private final SiteLoader loader;
    private final Projects projects;
    private final InstantSource clock;
    private final SiteTransactions transactions;
    private final Resizing resizing;
    private final Sharing sharing;

    /** @param wake begins what can begin, after each change */
    public SiteService(Tables tables, SiteLoader loader, Map<Name, Quota> quotas, InstantSource clock, Runnable wake) {
        this.tables = tables;
        this.loader = loader;
        this.projects = new Projects(quotas, clock);
        this.clock = clock;
        this.transactions = new SiteTransactions(tables, clock, wake);
        this.resizing = new Resizing(transactions, loader);
        this.sharing = new Sharing(transactions, tables, loader, clock);
    }

    public Resizing resizing() {
        return resizing;
    }

    public Sharing sharing() {
        return sharing;
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
                Optional.empty(),
                false,
                Optional.empty(),
                List.of(),
                false,
                List.of());
        return transactions.changed(handle -> {
            var before = key.flatMap(one -> Idempotency.find(handle, caller, one, order));
            if (before.isPresent()) {
                return before.get();
            }
            key.ifPresent(one -> Idempotency.keep(handle, caller, one, order, id, now));
            handle.execute("INSERT INTO service.project (name) VALUES (?) ON CONFLICT DO NOTHING", row.project());
            if (order.template().isEmpty()) {
                requireRoom(handle, row);
            }
            SiteTable.insert(handle, row);
            transactions.begin(handle, caller, row, Verb.PLAN);
            return id;
        });
    }

    /** One line, without what neither a database nor a page can hold. */
    private static String title(String typed) {
        return PlainText.of(typed.replaceAll("\\s+", " ").strip(), LONGEST_TITLE);
    }

    /** Nobody chose its limits: the plan of a site that can never be built would only cost time. */
    private void requireRoom(Handle handle, SiteRow site) {
        if (!projects.canEverFit(site)) {
            throw Projects.refused(projects.shares(handle, site, loader));
        }
    }

    /** What a site of these parameters would count for, beside what its project has. */
    public List<Quota.Share> cost(Name project, String yaml, Map<String, String> parameters) {
        var site = loader.load("site.yaml", yaml, parameters).orFail();
        return tables.in(handle -> projects.shares(handle, project, Amounts.of(site), lease(site)));
    }

    /** What the plan of a site takes beside what its project has; of a resize, what it takes more. */
    public List<Quota.Share> cost(SiteRow site) {
        return tables.in(handle -> projects.shares(handle, site, loader));
    }

    /** What a project uses. */
    public List<Quota.Share> usage(Name project) {
        return tables.in(handle -> projects.shares(handle, project, Amounts.NONE, Duration.ZERO));
    }

    /** @throws Failure NOT_FOUND */
    public View site(String id) {
        return transactions.site(id);
    }

    /**
     * The latest first.
     *
     * @param only of this person, or shared with this person; empty: all
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
        return transactions.change(id, version, EnumSet.of(SiteStatus.PLANNED), "confirmed", (handle, site) -> {
            var shares = projects.shares(handle, site, loader);
            if (!projects.canEverFit(site) || (!waits && !shares.stream().allMatch(Quota.Share::fits))) {
                throw Projects.refused(shares);
            }
            var plan = RunTable.of(handle, id).stream()
                    .filter(run -> run.verb() == Verb.PLAN && run.status() == RunRow.Status.DONE)
                    .findFirst()
                    .flatMap(RunRow::result)
                    .orElse("[]");
            SiteTable.consents(handle, id, SiteWork.consentsOf(plan));
            SiteTable.status(handle, id, SiteStatus.WAITING);
            transactions.begin(handle, caller, site, Verb.APPLY);
        });
    }

    /**
     * Stops the run that waits or works: what is in flight ends; asked again, that is stopped, too.
     *
     * @throws Failure NOT_NOW
     */
    public View cancel(Caller caller, String id) {
        return transactions.changed(handle -> {
            var site = SiteTransactions.locked(handle, id);
            var open = RunTable.open(handle, id);
            if (open.isEmpty() && site.status() == SiteStatus.PLANNED && site.built()) {
                Outcome.dropped(handle, site, clock.instant());
            } else if (open.isEmpty() || open.getFirst().verb() == Verb.DELETE) {
                throw SiteTransactions.notNow(
                        site, open.isEmpty() ? "Nothing works on it." : "It is being deleted, which goes on.");
            } else {
                stop(handle, site, open.getFirst());
            }
            transactions.note(handle, caller, site, "cancelled");
            return id;
        });
    }

    private void stop(Handle handle, SiteRow site, RunRow run) {
        if (run.status() != RunRow.Status.QUEUED) {
            RunTable.cancel(handle, run.id());
            return;
        }
        end(handle, run, RunRow.Status.CANCELLED);
        if (site.resize().isPresent()) {
            Outcome.dropped(handle, site, clock.instant());
        } else if (run.verb() == Verb.PLAN || site.built()) {
            SiteTable.status(handle, site.id(), SiteStatus.FAILED);
        } else {
            SiteTable.status(handle, site.id(), SiteStatus.PLANNED);
        }
    }

    /**
     * Goes on where the last run failed.
     *
     * @throws Failure NOT_NOW
     */
    public View retry(Caller caller, String id) {
        var failed = EnumSet.of(SiteStatus.FAILED);
        return transactions.change(id, Optional.empty(), failed, "tried again", (handle, site) -> {
            var last = RunTable.of(handle, id).getFirst().verb();
            SiteTable.status(
                    handle,
                    id,
                    switch (last) {
                        case PLAN -> SiteStatus.PLANNING;
                        case APPLY -> site.holdsQuota() ? SiteStatus.BUILDING : SiteStatus.WAITING;
                        case DELETE -> SiteStatus.DELETING;
                    });
            transactions.begin(handle, caller, site, last);
        });
    }

    /** In every state but the last; what works on the site is stopped first. */
    public View delete(Caller caller, String id) {
        var all = EnumSet.complementOf(EnumSet.of(SiteStatus.DELETED, SiteStatus.DELETING));
        return transactions.change(id, Optional.empty(), all, "to be deleted", (handle, site) -> {
            for (var run : RunTable.open(handle, id)) {
                if (run.status() == RunRow.Status.QUEUED) {
                    end(handle, run, RunRow.Status.CANCELLED);
                } else {
                    RunTable.cancel(handle, run.id());
                }
            }
            SiteTable.status(handle, id, SiteStatus.DELETING);
            transactions.begin(handle, caller, site, Verb.DELETE);
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
        transactions.changed(handle -> {
            transactions.note(handle, caller, SiteTransactions.locked(handle, id), what);
            return id;
        });
    }

    /** Writes down that a lease was extended. */
    public View extended(Caller caller, String id, Instant end) {
        return transactions.changed(handle -> {
            var site = SiteTransactions.locked(handle, id);
            SiteTable.endsAt(handle, id, end);
            transactions.note(handle, caller, site, "lease extended to " + end);
            return id;
        });
    }

    private void end(Handle handle, RunRow run, RunRow.Status status) {
        RunTable.end(handle, run, status, Optional.empty(), Optional.empty(), clock.instant());
    }

    static Duration lease(Site site) {
        return site.lease().map(terms -> terms.duration().duration()).orElse(Duration.ZERO);
    }

    public static Failure unknown() {
        return new Failure(Diagnostic.error(
                Code.NOT_FOUND,
                "There is no such site, or it is none of yours.",
                "GET /v1/sites lists those you see."));
    }
}
