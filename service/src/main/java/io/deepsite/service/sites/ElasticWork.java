package io.deepsite.service.sites;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.jdbc.DefaultJdbcCustomization;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.deepsite.diag.Failure;
import io.deepsite.operations.ElasticPauses;
import io.deepsite.service.records.Tables;
import io.deepsite.site.load.SiteLoader;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Follows the clusters of sites with elastic machines, each in one of the processes of the service: it is a task of a
 * scheduler of its own, which ends when somebody changes the site, and begins anew after that. Whoever works on a machine
 * has the lock of the site, as for every other change.
 */
final class ElasticWork implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ElasticWork.class.getName());
    /** Sites that one process follows: each has an SSH connection. */
    private static final int MOST = 200;

    private static final Duration AGAIN = Duration.ofSeconds(30);

    private final Tables tables;
    private final SiteWork work;
    private final SiteLoader loader;
    private final Projects projects;
    private final InstantSource clock;
    private final String process;
    private final ElasticPauses pauses;
    private final CustomTask<Void> task;
    private final Scheduler scheduler;
    /** Changes of this process at once. */
    private final Semaphore changes;

    private final Map<String, ElasticLoop> running = new ConcurrentHashMap<>();
    private volatile boolean ends;

    /** @param process name of this one */
    ElasticWork(
            Tables tables,
            SiteWork work,
            SiteLoader loader,
            Projects projects,
            InstantSource clock,
            String process,
            Worker.Sharing sharing,
            ElasticPauses pauses) {
        this.tables = tables;
        this.work = work;
        this.loader = loader;
        this.projects = projects;
        this.clock = clock;
        this.process = process;
        this.pauses = pauses;
        this.changes = new Semaphore(sharing.workers());
        this.task = Tasks.custom(ElasticTable.TASK, Void.class)
                .onDeadExecutionRevive()
                .onFailureReschedule(FixedDelay.of(AGAIN))
                .execute((instance, _) -> follow(instance.getId()));
        if (sharing.alone()) {
            tables.in(ElasticTable::forget);
        }
        this.scheduler = Scheduler.create(tables.source(), task)
                .tableName(Tables.SCHEMA + ".elastic_tasks")
                .schedulerName(new SchedulerName.Fixed(process))
                .threads(MOST)
                .executorService(Executors.newVirtualThreadPerTaskExecutor())
                .pollingInterval(Worker.POLL)
                .heartbeatInterval(Worker.HEARTBEAT)
                .missedHeartbeatsLimit(Worker.MISSED_HEARTBEATS)
                .enableImmediateExecution()
                .jdbcCustomization(
                        sharing.alone()
                                ? new DefaultJdbcCustomization(true)
                                : new PostgreSqlJdbcCustomization(false, true))
                .clock(clock::instant)
                .shutdownMaxWait(Worker.HAND_OVER)
                .build();
    }

    void start() {
        scheduler.start();
    }

    /** Begins what nobody follows, and ends what is not this process's any more. */
    void look() {
        running.values().forEach(ElasticLoop::endUnlessOurs);
        for (var id : tables.in(ElasticTable::unknown)) {
            tables.in(handle -> {
                var site = SiteTable.lock(handle, id).orElseThrow();
                ElasticTable.known(handle, id, isElastic(site));
                return id;
            });
        }
        tables.in(ElasticTable::alone).forEach(id -> scheduler.scheduleIfNotExists(task.instance(id), clock.instant()));
    }

    /** Whether machines of it come and go with its jobs. */
    private boolean isElastic(SiteRow site) {
        return loader.load("site.yaml", site.yaml(), site.parameters())
                .site()
                .filter(read -> read.clusters().entrySet().stream()
                        .anyMatch(cluster -> work.kinds()
                                .of(read, cluster.getKey(), cluster.getValue())
                                .elastic()
                                .isPresent()))
                .isPresent();
    }

    /** Until somebody changes the site, or this process ends: then the next look begins it anew. */
    private CompletionHandler<Void> follow(String id) {
        var site = tables.in(handle -> SiteTable.find(handle, id)).orElseThrow();
        var loop = new ElasticLoop(tables, work, projects, clock, process, site, changes);
        var before = running.put(id, loop);
        if (before != null) {
            // This process was stopped for so long that its task was begun anew, here.
            before.end();
        }
        try {
            if (ends) {
                loop.end();
            }
            loop.run(loader, pauses);
        } catch (Failure e) {
            if (!loop.hasEnded()) {
                LOG.log(Level.WARNING, "cannot follow " + site.name(), e);
                throw e;
            }
        } finally {
            running.remove(id, loop);
        }
        return new CompletionHandler.OnCompleteRemove<>();
    }

    /** What is in flight goes on; nothing more begins. */
    void end() {
        ends = true;
        running.values().forEach(ElasticLoop::end);
    }

    @Override
    public void close() {
        end();
        scheduler.stop();
    }
}
