package io.deepsite.service.sites;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.jdbc.DefaultJdbcCustomization;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.deepsite.ansible.ControlNodes;
import io.deepsite.apply.Cancel;
import io.deepsite.operations.ElasticPauses;
import io.deepsite.service.records.Tables;
import io.deepsite.service.sites.RunRow.Verb;
import io.deepsite.site.Name;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.state.LockOwner;
import io.deepsite.state.LockRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;

/**
 * Begins what can begin, and works on it. Runs are tasks that all processes of the service share: one that dies leaves its
 * runs to the others. A run counts as begun once it is a task; until then it is only a row, which the next look finds, so
 * nothing is lost between the two.
 */
public final class Worker implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Worker.class.getName());
    private static final Duration LOOK = Duration.ofSeconds(5);
    static final Duration HEARTBEAT = Duration.ofSeconds(5);
    static final int MISSED_HEARTBEATS = 4;
    static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration AGAIN = Duration.ofSeconds(5);
    static final Duration HAND_OVER = Duration.ofMinutes(2);

    private final Tables tables;
    private final SiteWork work;
    private final SiteLoader loader;
    private final Projects projects;
    private final InstantSource clock;
    private final int hostsPerProcess;
    private final boolean alone;
    private final CustomTask<Void> task;
    private final PlaybookWork playbooks;
    private final ElasticWork elastic;
    private final Scheduler scheduler;
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("looks").factory());
    private final Map<String, Cancel> running = new ConcurrentHashMap<>();
    /** Runs whose site somebody else changes, as was told. */
    private final Set<String> heldUp = ConcurrentHashMap.newKeySet();

    private volatile boolean ends;

    /**
     * @param sharing of runs with other processes
     */
    public Worker(
            Tables tables,
            SiteWork work,
            SiteLoader loader,
            Map<Name, Quota> quotas,
            InstantSource clock,
            Sharing sharing) {
        this(tables, work, loader, quotas, clock, sharing, ElasticPauses.USUAL);
    }

    Worker(
            Tables tables,
            SiteWork work,
            SiteLoader loader,
            Map<Name, Quota> quotas,
            InstantSource clock,
            Sharing sharing,
            ElasticPauses pauses) {
        this.tables = tables;
        this.work = work;
        this.loader = loader;
        this.projects = new Projects(quotas, clock);
        this.clock = clock;
        this.task = Tasks.custom("run", Void.class)
                .onDeadExecutionRevive()
                .onFailureReschedule(FixedDelay.of(AGAIN))
                .execute((instance, _) -> work(instance.getId()));
        this.hostsPerProcess = sharing.hostsPerProcess();
        this.alone = sharing.alone();
        if (alone) {
            tables.in(handle -> handle.execute("UPDATE service.scheduled_tasks SET picked = false, picked_by = NULL"));
        }
        var name = name();
        this.playbooks = new PlaybookWork(tables, work, clock, name, () -> ends);
        this.elastic = new ElasticWork(tables, work, loader, projects, clock, name, sharing, pauses);
        this.scheduler = Scheduler.create(tables.source(), task, playbooks.task())
                .tableName(Tables.SCHEMA + ".scheduled_tasks")
                .schedulerName(new SchedulerName.Fixed(name))
                .threads(sharing.workers())
                .pollingInterval(POLL)
                .heartbeatInterval(HEARTBEAT)
                .missedHeartbeatsLimit(MISSED_HEARTBEATS)
                .enableImmediateExecution()
                .jdbcCustomization(
                        alone ? new DefaultJdbcCustomization(true) : new PostgreSqlJdbcCustomization(false, true))
                .clock(clock::instant)
                .shutdownMaxWait(HAND_OVER)
                .build();
    }

    /**
     * How processes share the work.
     *
     * @param workers runs that this one works on at once
     * @param hostsPerProcess hosts that one process of Ansible configures at most, if there are others
     * @param alone whether no other process uses these tables: then a run that is at work now is one of a dead process
     */
    public record Sharing(int workers, int hostsPerProcess, boolean alone) {}

    /** Of this process: several of one machine share its name, and those of containers their numbers. */
    private static String name() {
        var process = LockOwner.current("");
        return process.host() + " " + process.pid() + " " + Ids.random();
    }

    public void start() {
        scheduler.start();
        elastic.start();
        var _ = looks.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Looks soon for what can begin. */
    public void wake() {
        if (!looks.isShutdown()) {
            looks.execute(this::look);
        }
    }

    private void look() {
        try {
            endLeases();
            promote();
            dispatch();
            tellCancels();
            elastic.look();
            forget();
        } catch (RuntimeException e) {
            // The database may come back.
            LOG.log(Level.WARNING, "looking for work failed", e);
        }
    }

    private void endLeases() {
        var over = tables.in(handle -> SiteTable.over(handle, clock.instant()));
        for (var each : over) {
            tables.in(handle -> {
                var site = SiteTable.lock(handle, each.id()).orElseThrow();
                if (site.endsAt().filter(end -> !end.isAfter(clock.instant())).isPresent()
                        && site.status() != SiteStatus.DELETING
                        && site.status() != SiteStatus.DELETED) {
                    RunTable.open(handle, site.id()).forEach(run -> stop(handle, run));
                    SiteTable.status(handle, site.id(), SiteStatus.DELETING);
                    RunTable.insert(handle, Ids.random(), site.id(), Verb.DELETE, Caller.SERVICE.id(), clock.instant());
                    AuditTable.add(handle, clock.instant(), Caller.SERVICE, "lease over", site, site.title());
                }
                return site;
            });
        }
    }

    private void stop(Handle handle, RunRow run) {
        if (run.status() == RunRow.Status.QUEUED) {
            RunTable.end(handle, run, RunRow.Status.CANCELLED, Optional.empty(), Optional.empty(), clock.instant());
        } else {
            RunTable.cancel(handle, run.id());
        }
    }

    /** First come, first served in each project: a small site does not overtake a large one for ever. */
    private void promote() {
        var full = new HashSet<String>();
        for (var each : tables.in(SiteTable::waiting)) {
            if (each.startsAt().isAfter(clock.instant()) || full.contains(each.project())) {
                continue;
            }
            boolean fits = tables.in(handle -> {
                SiteTable.lockProject(handle, each.project());
                var site = SiteTable.lock(handle, each.id()).orElseThrow();
                if (site.status() != SiteStatus.WAITING) {
                    return true;
                }
                boolean room = projects.shares(handle, site, loader).stream().allMatch(Quota.Share::fits);
                if (room) {
                    Outcome.hold(handle, site, clock.instant());
                }
                return room;
            });
            if (!fits) {
                full.add(each.project());
            }
        }
    }

    /** Of each site the first run that is not over; applies of sites that wait for the quota wait. */
    private void dispatch() {
        var ready =
                tables.in(handle -> handle.createQuery("""
                        SELECT r.id FROM service.run r JOIN service.site s ON s.id = r.site
                        WHERE r.status = 'queued' AND s.status <> 'waiting'
                            AND NOT EXISTS (SELECT 1 FROM service.run o WHERE o.site = r.site
                                AND o.status IN ('queued', 'running') AND o.seq < r.seq)
                            AND NOT EXISTS (SELECT 1 FROM service.scheduled_tasks t
                                WHERE t.task_name = 'run' AND t.task_instance = r.id)
                        ORDER BY r.seq
                        """).mapTo(String.class).list());
        ready.forEach(id -> scheduler.scheduleIfNotExists(task.instance(id), clock.instant()));
    }

    /** To the runs of this process: how often somebody asked to stop them. */
    private void tellCancels() {
        running.forEach((id, cancel) -> {
            int asked = tables.in(handle -> RunTable.find(handle, id))
                    .map(RunRow::cancels)
                    .orElse(0);
            if ((asked > 0 && !cancel.asked()) || (asked > 1 && !cancel.atOnce())) {
                cancel.ask();
            }
        });
    }

    /** What this process has of sites that others deleted. */
    private void forget() {
        var kept = work.kept();
        if (!kept.isEmpty()) {
            tables.in(handle -> SiteTable.deleted(handle, kept)).forEach(work::forget);
        }
    }

    private CompletionHandler<Void> work(String id) {
        // An attempt counts from the lock on: one that works on, but was taken for dead for a while, can still tell of
        // it.
        if (isHeldUp(id)) {
            return later();
        }
        var begun = tables.in(handle -> begin(handle, id));
        if (begun.isEmpty()) {
            return new CompletionHandler.OnCompleteRemove<>();
        }
        var cancel = new Cancel();
        running.put(id, cancel);
        try {
            if (ends) {
                cancel.ask();
            }
            var site = begun.get().site();
            var run = begun.get().run();
            var end = work.on(nodes(site, run))
                    .run(
                            site,
                            run,
                            cancel,
                            () -> ends && run(id).cancels() == 0,
                            new RunProgress(tables, clock, site, run));
            if (run(id).attempt() != run.attempt()) {
                LOG.log(Level.WARNING, "run {0} went on elsewhere: this process was stopped, or cut off", id);
            }
            if (end.status().isEmpty()) {
                return later();
            }
            if (run.verb() == Verb.DELETE && end.status().get() == RunRow.Status.DONE) {
                work.forget(site.id());
            }
            tables.whenBack(handle -> finish(handle, site.id(), run, end));
            wake();
            return new CompletionHandler.OnCompleteRemove<>();
        } finally {
            running.remove(id, cancel);
        }
    }

    private ControlNodes nodes(SiteRow site, RunRow run) {
        return alone ? ControlNodes.THIS : playbooks.of(site, run, hostsPerProcess, scheduler);
    }

    private CompletionHandler<Void> later() {
        return (complete, operations) ->
                operations.reschedule(complete, clock.instant().plus(ends ? Duration.ZERO : AGAIN));
    }

    private boolean isHeldUp(String id) {
        var run = run(id);
        if (run.status().isOver()) {
            return false;
        }
        var holder = work.holder(
                tables.in(handle -> SiteTable.find(handle, run.site())).orElseThrow());
        if (holder.isEmpty()) {
            heldUp.remove(id);
        } else if (heldUp.add(id)) {
            tellHolder(run, holder.get());
        }
        return holder.isPresent();
    }

    private void tellHolder(RunRow run, LockRecord holder) {
        tables.in(handle ->
                RunTable.addEvent(handle, run.site(), Optional.of(run.id()), clock.instant(), SiteWork.held(holder)));
    }

    private record Begun(SiteRow site, RunRow run) {}

    private Optional<Begun> begin(Handle handle, String id) {
        var run = RunTable.find(handle, id).orElseThrow();
        var site = SiteTable.lock(handle, run.site()).orElseThrow();
        if (run.status().isOver()) {
            return Optional.empty();
        }
        if (run.cancels() > 0) {
            // Another process began it, and died before it could stop.
            finish(handle, site.id(), run, RunEnd.failed(RunRow.Status.CANCELLED, "[]", Optional.empty()));
            return Optional.empty();
        }
        if (!RunTable.open(handle, site.id()).getFirst().id().equals(id)) {
            throw new IllegalStateException("run " + id + " was begun before an earlier one of its site has ended");
        }
        PlaybookTable.deleteOf(handle, id);
        RunTable.begin(handle, id, clock.instant());
        if (run.verb() == Verb.APPLY) {
            SiteTable.usersTaken(handle, site.id());
        }
        return Optional.of(new Begun(site, RunTable.find(handle, id).orElseThrow()));
    }

    private RunRow run(String id) {
        return tables.whenBack(handle -> RunTable.find(handle, id)).orElseThrow();
    }

    /** @return whether it was ours to end: if another process works on this run meanwhile, what that one says counts */
    private boolean finish(Handle handle, String id, RunRow run, RunEnd end) {
        var now = clock.instant();
        var site = SiteTable.lock(handle, id).orElseThrow();
        var how = end.status().orElseThrow();
        if (!RunTable.end(handle, run, how, end.result(), end.faults(), now)) {
            return false;
        }
        PlaybookTable.deleteOf(handle, run.id());
        if (end.leaseEnds().isPresent()) {
            SiteTable.endsAt(handle, id, end.leaseEnds().get());
        }
        Outcome.of(handle, site, run.verb(), how == RunRow.Status.DONE, now);
        RunTable.addEvent(
                handle,
                id,
                Optional.of(run.id()),
                now,
                "{\"event\":\"run\",\"run\":\"" + run.id() + "\",\"verb\":\""
                        + run.verb().word() + "\",\"status\":\"" + how.word() + "\"}");
        return true;
    }

    /** Ends what is in flight, and leaves the rest of its runs to other processes, or to the next one. */
    @Override
    public void close() {
        ends = true;
        looks.close();
        elastic.end();
        running.values().forEach(Cancel::ask);
        scheduler.stop();
        elastic.close();
    }
}
