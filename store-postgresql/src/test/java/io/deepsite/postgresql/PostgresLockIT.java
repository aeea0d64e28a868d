package io.deepsite.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.state.LockOwner;
import io.deepsite.state.SiteLock;
import io.deepsite.state.SiteLockContractTest;
import io.deepsite.state.SiteState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresLockIT extends SiteLockContractTest {
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final Map<Integer, PostgresStores> machines = new HashMap<>();
    private final List<PostgresStores> more = new ArrayList<>();
    private TestDatabase database;

    @BeforeEach
    void open(@TempDir Path folder) {
        database = new TestDatabase(folder);
    }

    @AfterEach
    void close() {
        machines.values().forEach(PostgresStores::close);
        more.forEach(PostgresStores::close);
    }

    @Override
    protected synchronized SiteLock lockOf(int process) {
        return machines.computeIfAbsent(process, number -> machine(number, TestDatabase.LONG))
                .lock();
    }

    /** Asking costs no call; the write finds out. */
    @Override
    protected void change(SiteLock.HeldLock held) {
        machines.get(1).state().write(fresh());
    }

    @Test
    void nothingIsWrittenWithoutIt() {
        var stores = machine(1, TestDatabase.LONG);
        more.add(stores);

        assertThatIllegalStateException().isThrownBy(() -> stores.state().write(fresh()));
    }

    @Test
    void whoeverDoesNotRenewItIsToldBeforeAnotherMayTakeItAndThenWritesNothing() throws Exception {
        var slow = machine(1, SHORT);
        var next = machine(2, TestDatabase.LONG);
        more.addAll(List.of(slow, next));
        var stopped = new CountDownLatch(1);
        var held = slow.lock().acquire("apply");
        held.whenLost(stopped::countDown);
        slow.state().write(fresh());

        try (var connections = TestDatabase.open()) {
            // As long as this transaction lasts, no renewal succeeds.
            connections.in(handle -> {
                handle.execute("LOCK TABLE site_lock IN EXCLUSIVE MODE");
                try {
                    stopped.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                assertThat(catchThrowableOfType(Failure.class, held::requireHeld)
                                .diagnostics()
                                .getFirst()
                                .code())
                        .isEqualTo(Code.LOCK_LOST);
                return handle.execute(
                        "UPDATE site_lock SET expires_at = clock_timestamp() WHERE site = ?", database.site());
            });
        }
        try (var _ = next.lock().acquire("apply")) {
            var state = next.state().read().orElseThrow();

            assertThat(codeOf(() -> slow.state().write(state))).isEqualTo(Code.LOCK_LOST);
            assertThat(codeOf(() -> slow.journal().intent("run-1", "a", Map.of())))
                    .isEqualTo(Code.LOCK_LOST);
            assertThat(codeOf(() -> slow.vault().replace(new byte[] {1}))).isEqualTo(Code.LOCK_LOST);
            assertThat(next.state().read()).contains(state);
            assertThat(next.openIntents()).isEmpty();
        }
    }

    @Test
    void itIsTakenFromAProcessOfThisMachineThatHasEnded() {
        var mine = LockOwner.current("0.1.0");
        var dead = new LockOwner(mine.who(), mine.host(), mine.machine(), mine.pid(), mine.processStart() + 1, "0.1.0");
        var killed = database.machine(1, dead, TestDatabase.LONG, Instant.EPOCH);
        var next = database.machine(1, mine, TestDatabase.LONG, Instant.EPOCH);
        more.addAll(List.of(killed, next));
        killed.lock().acquire("apply");

        assertThat(next.lock().isOfTheDead()).isTrue();
        next.lock().acquire("apply").close();

        assertThat(next.lock().holder()).isEmpty();
    }

    private SiteState fresh() {
        return SiteState.fresh(database.site(), "0.1.0");
    }

    private PostgresStores machine(int number, Duration lease) {
        return database.machine(number, owner(number), lease, Instant.EPOCH);
    }

    private static Code codeOf(ThrowingCallable work) {
        return catchThrowableOfType(Failure.class, work)
                .diagnostics()
                .getFirst()
                .code();
    }
}
