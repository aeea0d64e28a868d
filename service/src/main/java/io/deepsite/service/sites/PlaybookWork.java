package io.deepsite.service.sites;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.deepsite.ansible.ControlNodes;
import io.deepsite.ansible.Playbook;
import io.deepsite.apply.Cancel;
import io.deepsite.diag.Failure;
import io.deepsite.operations.SharedPlaybook;
import io.deepsite.service.records.Tables;
import io.deepsite.state.LockFaults;
import io.deepsite.state.LockRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;

/**
 * Runs playbooks that other processes offer, as long as these hold the lock of their site and wait for it. The task of the
 * scheduler only says that there is one; who has it says its row.
 */
final class PlaybookWork {
    private static final Logger LOG = System.getLogger(PlaybookWork.class.getName());
    private static final Duration BEAT = Duration.ofSeconds(1);

    private final Tables tables;
    private final SiteWork sites;
    private final InstantSource clock;
    private final String process;
    private final BooleanSupplier ends;
    private final CustomTask<Void> task;

    /**
     * @param process name of this one
     * @param ends whether it does
     */
    PlaybookWork(Tables tables, SiteWork sites, InstantSource clock, String process, BooleanSupplier ends) {
        this.tables = tables;
        this.sites = sites;
        this.clock = clock;
        this.process = process;
        this.ends = ends;
        this.task = Tasks.custom("playbook", Void.class)
                .onDeadExecutionRevive()
                .onFailure((failed, operations) -> operations.stop())
                .execute((instance, _) -> work(instance.getId()));
    }

    CustomTask<Void> task() {
        return task;
    }

    /**
     * Where a run of this process works.
     *
     * @param hosts that one process of Ansible configures at most
     */
    ControlNodes of(SiteRow site, RunRow run, int hosts, Scheduler scheduler) {
        return new SharedControlNodes(tables, hosts, playbook -> offer(site, run, playbook, scheduler));
    }

    /** To all processes. */
    private String offer(SiteRow site, RunRow run, SharedPlaybook.Task playbook, Scheduler scheduler) {
        var lock = sites.holder(site).orElseThrow(() -> LockFaults.lost(Optional.empty()));
        var offer = new PlaybookTable.Offer(Ids.random(), run.id(), run.attempt(), lock.id(), process, playbook);
        tables.whenBack(handle -> PlaybookTable.insert(handle, offer));
        scheduler.scheduleIfNotExists(task.instance(offer.id()), clock.instant());
        return offer.id();
    }

    private static SiteRow site(Handle handle, PlaybookTable.Offer offer) {
        var run = RunTable.find(handle, offer.run()).orElseThrow();
        return SiteTable.find(handle, run.site()).orElseThrow();
    }

    private CompletionHandler<Void> work(String id) {
        var found = tables.in(handle -> PlaybookTable.free(handle, id));
        if (found.isPresent() && (found.get().by().equals(process) || ends.getAsBoolean())) {
            return (complete, operations) ->
                    operations.reschedule(complete, clock.instant().plus(BEAT));
        }
        if (found.isPresent() && tables.in(handle -> PlaybookTable.take(handle, id, process))) {
            new Taken(found.get(), tables.in(handle -> site(handle, found.get()))).run();
        }
        return new CompletionHandler.OnCompleteRemove<>();
    }

    /** One that this process runs. */
    private final class Taken {
        private final PlaybookTable.Offer offer;
        private final SiteRow site;
        private final BlockingQueue<String> fresh = new LinkedBlockingQueue<>();
        /** Not in the table yet, or perhaps. */
        private final List<String> unsent = new ArrayList<>();

        private final Cancel cancel = new Cancel();
        private final CountDownLatch over = new CountDownLatch(1);
        private long sent;

        Taken(PlaybookTable.Offer offer, SiteRow site) {
            this.offer = offer;
            this.site = site;
        }

        void run() {
            LOG.log(
                    Level.INFO,
                    "runs Ansible on {0} hosts of {1} for {2}",
                    offer.task().hosts(),
                    site.name(),
                    offer.by());
            var beats =
                    Thread.ofPlatform().daemon().name("playbook " + offer.id()).start(this::beatUntilOver);
            try {
                var ended = sites.in(
                        site,
                        site.target(),
                        _ -> {},
                        context -> new SharedPlaybook(context)
                                .run(
                                        offer.task(),
                                        bundle -> cancel.listenFirst(() -> Playbook.beginNothingMore(bundle)),
                                        fresh::add,
                                        cancel::listen));
                over.countDown();
                beats.join();
                tables.whenBack(handle -> {
                    send(handle);
                    return PlaybookTable.end(handle, offer.id(), process, ended);
                });
            } catch (Failure e) {
                LOG.log(Level.WARNING, "cannot run Ansible for " + offer.by(), e);
                tables.whenBack(handle -> PlaybookTable.giveBack(handle, offer.id(), process));
            } catch (InterruptedException _) {
                // Who waits for it will miss its signs of life.
                Thread.currentThread().interrupt();
            } finally {
                over.countDown();
            }
        }

        private void beatUntilOver() {
            long heard = System.nanoTime();
            try {
                while (!over.await(BEAT.toMillis(), TimeUnit.MILLISECONDS)) {
                    try {
                        beat();
                        heard = System.nanoTime();
                    } catch (JdbiException | Failure e) {
                        // The database may come back; until then another process may take over the site.
                        if (System.nanoTime() - heard > offer.task().grace().toNanos()) {
                            cancel.askAtOnce();
                        }
                    }
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        private void beat() {
            var asked = tables.in(handle -> {
                send(handle);
                return PlaybookTable.beat(handle, offer, process);
            });
            sent += unsent.size();
            unsent.clear();
            boolean isLocked = sites.holder(site)
                    .map(LockRecord::id)
                    .filter(offer.lock()::equals)
                    .isPresent();
            if (asked.isEmpty() || !isLocked || asked.get() >= SharedControlNodes.AT_ONCE) {
                cancel.askAtOnce();
            } else if (!cancel.asked() && (asked.get() >= SharedControlNodes.NOTHING_MORE || ends.getAsBoolean())) {
                cancel.ask();
            }
        }

        private void send(Handle handle) {
            fresh.drainTo(unsent);
            PlaybookTable.add(handle, offer.id(), sent, unsent);
        }
    }
}
