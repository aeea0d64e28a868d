package io.deepsite.service.sites;

import static io.deepsite.service.sites.ServiceLab.ALICE;
import static io.deepsite.service.sites.ServiceLab.BIOLOGY;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.operations.MemorySites;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes of a service share the runs of one PostgreSQL. */
class ReplicasIT {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Replica.Watcher NOBODY = (_, _, _) -> {};
    /** Above what Linux gives to a process (PID_MAX_LIMIT, 2^22). */
    private static final String NO_PROCESS = "4194305";

    private static final int SITES = 50;
    private static final int DEATHS = 12;
    private static final int CALLS_PER_DEATH = 15;

    @TempDir
    Path folder;

    private final FreshDatabase database = new FreshDatabase();
    private final MemorySites cloud = new MemorySites();
    private final List<Replica> replicas = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        try (var each = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var end : replicas.stream()
                    .map(replica -> each.submit(replica::close))
                    .toList()) {
                end.get();
            }
        }
        database.close();
    }

    private Replica replica(Quota quota, Replica.Watcher watcher) {
        try {
            var own = Files.createDirectory(folder.resolve("replica-" + replicas.size()));
            var replica = new Replica(own, database, cloud, quota, watcher);
            replicas.add(replica);
            return replica;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String order(Replica at, int nodes) {
        return at.sites
                .order(
                        ALICE,
                        new SiteService.Order(
                                BIOLOGY,
                                "My cluster",
                                Optional.of("hpc"),
                                ServiceLab.YAML,
                                false,
                                new TreeMap<>(Map.of("nodes", String.valueOf(nodes))),
                                Optional.empty()),
                        Optional.empty())
                .site()
                .id();
    }

    private static SiteService.View await(Replica at, String id, SiteStatus status) throws InterruptedException {
        return await(at, id, view -> {
            assertThat(view.site().status()).as(() -> view.runs().toString()).isNotEqualTo(SiteStatus.FAILED);
            return view.site().status() == status;
        });
    }

    private static SiteService.View await(Replica at, String id, Predicate<SiteService.View> until)
            throws InterruptedException {
        long seen = 0;
        while (true) {
            var view = at.sites.site(id);
            if (until.test(view)) {
                return view;
            }
            var events = at.feed.next(id, seen, PATIENCE);
            seen = events.isEmpty() ? seen : events.getLast().seq();
        }
    }

    private static String confirmed(Replica at, int nodes) throws InterruptedException {
        var id = order(at, nodes);
        await(at, id, SiteStatus.PLANNED);
        at.sites.confirm(ALICE, id, true, Optional.empty());
        return id;
    }

    private static void sql(Replica at, String statement, Object... values) {
        at.tables.in(handle -> handle.execute(statement, values));
    }

    private static List<String> rows(Replica at, String query) {
        return at.tables.in(
                handle -> handle.createQuery(query).mapTo(String.class).list());
    }

    /** What others see of a site; its records by their serial. */
    private static List<String> seen(Replica at) {
        return rows(
                at,
                "SELECT concat_ws(' ', s.status, s.version, s.last_event, r.verb, r.status, r.attempt, r.steps_done, r.ended_at,"
                        + " t.serial, t.fence) FROM service.site s JOIN service.run r ON r.site = s.id"
                        + " LEFT JOIN deepsite.site_state t ON t.site = s.name ORDER BY r.seq");
    }

    /** As db-scheduler does with a task of a process whose heartbeat it misses. */
    private static void reviveTask(Replica at) {
        sql(
                at,
                "UPDATE service.scheduled_tasks SET picked = false, picked_by = NULL, version = version + 1, execution_time = now()");
    }

    private static void inParallel(List<Parallel> all) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<?>>();
            for (var each : all) {
                futures.add(threads.submit(() -> {
                    each.run();
                    return true;
                }));
            }
            for (var future : futures) {
                future.get();
            }
        }
    }

    private interface Parallel {
        void run() throws Exception;
    }

    @Test
    void allTakePartAndNothingRunsTwice() throws Exception {
        var calls = new ConcurrentHashMap<String, AtomicInteger>();
        var tookPart = new CountDownLatch(3);
        Set<Replica> seen = ConcurrentHashMap.newKeySet();
        Replica.Watcher watcher = (replica, site, call) -> {
            if (call.startsWith("create instance/")) {
                calls.computeIfAbsent(site + " " + call, _ -> new AtomicInteger())
                        .incrementAndGet();
                if (seen.add(replica)) {
                    tookPart.countDown();
                }
                // One that is quick must not do all the work.
                ReplicasIT.await(tookPart);
            }
        };
        var all = IntStream.range(0, 3)
                .mapToObj(_ -> replica(Quota.NONE, watcher).start())
                .toList();

        inParallel(IntStream.range(0, 24)
                .<Parallel>mapToObj(number -> () -> {
                    var at = all.get(number % 3);
                    var id = confirmed(at, 2);
                    var ready = await(all.get((number + 1) % 3), id, SiteStatus.READY);
                    assertThat(ready.runs())
                            .allSatisfy(run -> assertThat(run.attempt()).isEqualTo(1));
                })
                .toList());

        assertThat(calls)
                .hasSize(48)
                .allSatisfy((_, number) -> assertThat(number).hasValue(1));
        assertThat(cloud.things())
                .filteredOn(thing -> thing.startsWith("instance/"))
                .hasSize(48);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Paused for longer than heartbeats may be missed, and for less than its lock lasts. */
    @Test
    void oneThatIsTakenForDeadWhileItHasTheLockTellsHowItsRunEnds() throws Exception {
        var begun = new CountDownLatch(1);
        var goesOn = new CountDownLatch(1);
        var first = replica(Quota.NONE, (_, _, call) -> {
                    if (call.startsWith("create ")) {
                        begun.countDown();
                        await(goesOn);
                    }
                })
                .start();
        var id = confirmed(first, 1);
        begun.await();

        var second = replica(Quota.NONE, NOBODY).start();
        reviveTask(second);
        await(
                second,
                id,
                _ -> second.sites.events(id, 0, 1000).stream()
                        .anyMatch(event -> event.event().contains("Somebody else works on it")));
        goesOn.countDown();

        var ready = await(second, id, SiteStatus.READY);
        assertThat(ready.runs().getFirst().attempt()).isEqualTo(1);
        assertThat(ready.runs().getFirst().stepsDone())
                .isEqualTo(ready.runs().getFirst().steps())
                .isPositive();
    }

    /** As a laptop that is closed. All its threads are at work, so that it cannot go on with its own runs. */
    @Test
    void oneThatWakesAfterItsLocksEndedChangesNothing() throws Exception {
        var begun = new CountDownLatch(Replica.WORKERS);
        var wakes = new CountDownLatch(1);
        var first = replica(Quota.NONE, (_, _, call) -> {
                    if (call.startsWith("create network/")) {
                        begun.countDown();
                        await(wakes);
                    }
                })
                .start();
        var ids = new ArrayList<String>();
        for (int number = 0; number < Replica.WORKERS; number++) {
            ids.add(confirmed(first, 1));
        }
        begun.await();

        var second = replica(Quota.NONE, NOBODY).start();
        sql(second, "UPDATE deepsite.site_lock SET expires_at = now() - interval '1 second'");
        reviveTask(second);
        for (var id : ids) {
            var ready = await(second, id, SiteStatus.READY);
            assertThat(ready.runs().getFirst().attempt()).isEqualTo(2);
        }
        var before = seen(second);
        wakes.countDown();
        first.close();

        assertThat(seen(second)).isEqualTo(before);
        for (var id : ids) {
            second.sites.delete(ALICE, id);
            await(second, id, SiteStatus.DELETED);
        }
        assertThat(cloud.things()).isEmpty();
    }

    /**
     * 50 sites wait in the queue of a small quota, are built, and are deleted, while replicas die in the middle of calls of
     * the cloud, before or after what these do. The seed says which calls; threads say in which order these come.
     */
    @Test
    void noSiteIsLostOverRandomDeaths() throws Exception {
        long seed = Optional.ofNullable(System.getProperty("replicas.seed"))
                .map(Long::valueOf)
                .orElseGet(System::nanoTime);
        var chaos = new Chaos(seed);
        for (int number = 0; number < 3; number++) {
            replica(chaos.quota, chaos).start();
        }
        // It takes orders, and works on none.
        var front = replica(chaos.quota, NOBODY);
        var room = Executors.newSingleThreadExecutor();
        try {
            var _ = room.submit(() -> chaos.replace(front));

            inParallel(IntStream.range(0, SITES)
                    .<Parallel>mapToObj(number -> () -> {
                        var id = confirmed(front, 1 + number % 2);
                        await(front, id, SiteStatus.READY);
                        front.sites.delete(ALICE, id);
                        await(front, id, SiteStatus.DELETED);
                    })
                    .toList());
        } finally {
            room.shutdownNow();
        }

        var attempts = rows(front, "SELECT verb || ' ' || attempt FROM service.run WHERE attempt > 1");
        System.out.println(
                "seed " + seed + ": " + SITES + " sites, " + chaos.deaths + " deaths, runs that went on: " + attempts);
        assertThat(chaos.together).as("seed %s", seed).isEmpty();
        // At most DEATHS: how many it comes to depends on how many calls the work takes.
        assertThat(chaos.deaths).as("seed %s", seed).hasPositiveValue();
        assertThat(attempts).as("seed %s", seed).isNotEmpty();
        assertThat(cloud.things()).as("seed %s", seed).isEmpty();
        assertThat(rows(front, "SELECT site FROM deepsite.site_state")).isEmpty();
        assertThat(rows(front, "SELECT id FROM service.run WHERE status IN ('queued', 'running')"))
                .isEmpty();
        assertThat(rows(front, "SELECT id FROM service.site WHERE status <> 'deleted' OR holds_quota"))
                .isEmpty();
    }

    private final class Chaos implements Replica.Watcher {
        final Quota quota = new Quota(
                Optional.empty(),
                Optional.of(9),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        final AtomicInteger deaths = new AtomicInteger();
        /** Work on one site by two replicas that both live. */
        final List<String> together = new CopyOnWriteArrayList<>();

        private final Random random;
        /** Who asked the cloud last, for each site. */
        private final Map<String, Replica> last = new ConcurrentHashMap<>();
        /** Who changed something last, for each site and kind of change. */
        private final Map<String, Replica> atWork = new ConcurrentHashMap<>();

        private final BlockingQueue<Replica> dead = new LinkedBlockingQueue<>();

        Chaos(long seed) {
            random = new Random(seed);
        }

        @Override
        public void before(Replica replica, String site, String call) {
            last.put(site, replica);
            if (call.equals("survey")) {
                return;
            }
            var before = atWork.put(site + " " + call.replaceAll(" .*", ""), replica);
            if (before != null && before != replica && !before.isDead()) {
                together.add(site + " " + call);
            }
            if (!dies(replica)) {
                return;
            }
            // Half of them right after the call did what it does: nothing of it is recorded.
            if (random.nextBoolean()) {
                replica.requireAlive();
            }
        }

        private synchronized boolean dies(Replica replica) {
            if (deaths.get() == DEATHS || replica.isDead() || random.nextInt(CALLS_PER_DEATH) > 0) {
                return false;
            }
            deaths.incrementAndGet();
            replica.die();
            dead.add(replica);
            return true;
        }

        /** A new one comes for each that died. */
        Void replace(Replica front) throws InterruptedException {
            while (true) {
                var gone = dead.take();
                giveLocksToTheDead(front, gone);
                // What is left of its threads would only fill the log.
                Thread.ofVirtual().start(gone::close);
                replica(quota, this).start();
            }
        }

        /** The process of the tests lives, so a lock that it left is not yet one that a killed process left. */
        private void giveLocksToTheDead(Replica front, Replica of) {
            last.forEach((site, replica) -> {
                if (replica == of) {
                    sql(
                            front,
                            "UPDATE deepsite.site_lock SET holder = jsonb_set(holder, '{owner,pid}', '" + NO_PROCESS
                                    + "') WHERE holder IS NOT NULL AND site = (SELECT name FROM service.site WHERE id = ?)",
                            site);
                }
            });
        }
    }
}
