package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.SiteLock.HeldLock;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateRecorderTest {
    @TempDir
    Path folder;

    private FileSiteLock lock;
    private HeldLock held;

    @BeforeEach
    void takeTheLock() {
        var owner = LockOwner.current("0.1.0");
        lock = new FileSiteLock(new StateFolder(folder), owner, InstantSource.system(), _ -> {});
        held = lock.acquire("apply");
    }

    @AfterEach
    void giveItBack() {
        held.close();
    }

    @Test
    void everyChangeIsStoredBeforeItsThreadContinues() throws InterruptedException {
        var store = new FileStateStore(new StateFolder(folder));
        var recorder = new StateRecorder(store, held, SiteState.fresh("lab", "0.1.0"));
        var missing = new AtomicInteger();
        var threads = new ArrayList<Thread>();

        for (var i = 0; i < 40; i++) {
            var alias = "image-" + i;
            threads.add(Thread.startVirtualThread(() -> {
                recorder.record(state -> Images.with(state, alias, "f00"));
                if (!store.read().orElseThrow().images().containsKey(alias)) {
                    missing.incrementAndGet();
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }

        assertThat(missing).hasValue(0);
        assertThat(store.read().orElseThrow().images()).hasSize(40);
        assertThat(store.read()).contains(recorder.current());
    }

    @Test
    void changesThatComeDuringAWriteAreWrittenTogether() throws InterruptedException {
        var store = new SlowStore();
        var recorder = new StateRecorder(store, held, SiteState.fresh("lab", "0.1.0"));
        var threads = new ArrayList<Thread>();
        threads.add(Thread.startVirtualThread(() -> recorder.record(state -> Images.with(state, "first", "f00"))));
        store.begun.await();

        for (var i = 0; i < 10; i++) {
            var alias = "image-" + i;
            threads.add(Thread.startVirtualThread(() -> recorder.record(state -> Images.with(state, alias, "f00"))));
        }
        while (recorder.current().images().size() < 11) {
            Thread.onSpinWait();
        }
        store.mayEnd.countDown();
        for (var thread : threads) {
            thread.join();
        }

        assertThat(store.writes).hasValue(2);
        assertThat(store.read().orElseThrow().images()).hasSize(11);
    }

    @Test
    void aFailedWriteIsReportedAndTheNextOneIncludesIt() {
        var store = new SlowStore();
        store.mayEnd.countDown();
        store.failures.set(1);
        var recorder = new StateRecorder(store, held, SiteState.fresh("lab", "0.1.0"));

        var failure =
                catchThrowableOfType(Failure.class, () -> recorder.record(state -> Images.with(state, "first", "f00")));
        recorder.record(state -> Images.with(state, "second", "f00"));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.STATE_NOT_WRITTEN);
        assertThat(store.read().orElseThrow().images()).containsOnlyKeys("first", "second");
    }

    @Test
    void writesNothingOnceTheLockIsLost() {
        var store = new FileStateStore(new StateFolder(folder));
        var recorder = new StateRecorder(store, held, SiteState.fresh("lab", "0.1.0"));
        lock.unlock(held.record().id());

        var failure =
                catchThrowableOfType(Failure.class, () -> recorder.record(state -> Images.with(state, "first", "f00")));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.LOCK_LOST);
        assertThat(store.read()).isEmpty();
    }

    /** In memory; its first write blocks until it is released. */
    private static final class SlowStore implements StateStore {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final AtomicInteger writes = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();
        private volatile SiteState stored;

        @Override
        public Optional<SiteState> read() {
            return Optional.ofNullable(stored);
        }

        @Override
        public SiteState write(SiteState next) {
            begun.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (failures.getAndDecrement() > 0) {
                throw new Failure(Diagnostic.error(Code.STATE_NOT_WRITTEN, "The disk is full.", ""));
            }
            writes.incrementAndGet();
            stored = next.withSerial(next.serial() + 1);
            return stored;
        }

        @Override
        public SiteState supersede(SiteState next) {
            throw new UnsupportedOperationException("nothing here begins anew");
        }
    }
}
