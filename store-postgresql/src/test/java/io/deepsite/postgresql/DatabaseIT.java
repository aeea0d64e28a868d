package io.deepsite.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.state.SiteState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseIT {
    /** The first test of an empty database; later it shows that nothing is made twice. */
    @Test
    void manyThatComeFirstMakeTheTablesOnce() throws Exception {
        var together = new CyclicBarrier(4);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var versions = threads.invokeAll(IntStream.range(0, 4)
                    .mapToObj(_ -> (Callable<Integer>) () -> {
                        try (var database = TestDatabase.open()) {
                            together.await();
                            return database.in(handle -> handle.createQuery(
                                            "SELECT count(*) FROM flyway_schema_history WHERE version IS NOT NULL")
                                    .mapTo(Integer.class)
                                    .one());
                        }
                    })
                    .toList());

            for (var version : versions) {
                assertThat(version.get()).isEqualTo(2);
            }
        }
    }

    /** As one that is stopped (SIGSTOP), or whose laptop was closed, between two statements. */
    @Test
    void aProcessThatStopsInATransactionDoesNotKeepItsLocks() throws Exception {
        var holds = new CountDownLatch(1);
        var goesOn = new CountDownLatch(1);
        try (var stopped = TestDatabase.open();
                var other = TestDatabase.open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var site = "stopped-" + UUID.randomUUID();
            other.in(handle -> handle.execute("INSERT INTO site_lock (site, fence) VALUES (?, 1)", site));
            var first = threads.submit(() -> stopped.in(handle -> {
                handle.execute("UPDATE site_lock SET fence = 2 WHERE site = ?", site);
                holds.countDown();
                awaited(goesOn);
                return handle.execute("UPDATE site_lock SET fence = 3 WHERE site = ?", site);
            }));
            holds.await();

            int changed = other.in(handle -> handle.execute("UPDATE site_lock SET fence = 4 WHERE site = ?", site));

            goesOn.countDown();
            assertThat(changed).isEqualTo(1);
            assertThatThrownBy(first::get)
                    .satisfies(thrown -> assertThat(Database.isAway(thrown)).isTrue());
            int fence = other.in(handle -> handle.createQuery("SELECT fence FROM site_lock WHERE site = :site")
                    .bind("site", site)
                    .mapTo(Integer.class)
                    .one());
            assertThat(fence).isEqualTo(4);
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nothingOfASiteIsLeftWhenItIsRemoved(@TempDir Path folder) throws Exception {
        var database = new TestDatabase(folder);
        try (var stores = database.machine()) {
            try (var _ = stores.lock().acquire("apply")) {
                stores.state().write(SiteState.fresh(database.site(), "0.1.0"));
                stores.vault().replace(new byte[] {1, 2});
                var run = stores.runs().begin(Instant.EPOCH);
                stores.journal().intent(run.id(), "a", Map.of());
                stores.runs().keep(run);
            }

            stores.remove();

            assertThat(stores.state().read()).isEmpty();
            assertThat(stores.vault().read()).isEmpty();
            assertThat(stores.runs().all()).isEmpty();
            assertThat(stores.openIntents()).isEmpty();
            assertThat(stores.lock().holder()).isEmpty();
        }
    }
}
