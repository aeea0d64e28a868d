package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The contract of every {@link SiteLock}; a lock's own test extends this class. */
public abstract class SiteLockContractTest {

    /** The lock of one site, as a process with this number sees it, which runs on a machine of its own. */
    protected abstract SiteLock lockOf(int process);

    protected static LockOwner owner(int process) {
        return new LockOwner("user-" + process, "host-" + process, "boot-" + process, 4000 + process, 100, "0.1.0");
    }

    @Test
    void oneHoldsAndGivesBack() {
        try (var held = lockOf(1).acquire("apply")) {
            held.requireHeld();

            assertThat(lockOf(2).holder()).contains(held.record());
            assertThat(lockOf(2).isOfTheDead()).isFalse();
        }

        assertThat(lockOf(2).holder()).isEmpty();
        assertThatNoException().isThrownBy(() -> lockOf(2).acquire("apply").close());
    }

    @Test
    void aLaterHolderHasAHigherFence() {
        var fences = new ArrayList<Long>();
        for (int process = 1; process <= 2; process++) {
            try (var held = lockOf(process).acquire("apply")) {
                held.fence().ifPresent(fences::add);
            }
        }

        assertThat(fences).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void refusesASecondAndSaysWhoHoldsItAndHowToTakeItAway() {
        try (var held = lockOf(1).acquire("apply")) {
            var failure = catchThrowableOfType(Failure.class, () -> lockOf(2).acquire("destroy"));

            var diagnostic = failure.diagnostics().getFirst();
            assertThat(diagnostic.code()).isEqualTo(Code.LOCK_HELD);
            assertThat(diagnostic.why())
                    .contains(
                            "\"apply\"",
                            "user-1",
                            "host-1",
                            "4001",
                            held.record().id());
            assertThat(diagnostic.commands())
                    .containsExactly("deepsite unlock " + held.record().id());
            held.requireHeld();
        }
    }

    @Test
    void whoeverLostTheLockIsToldSoAndFreesNoOther() {
        var held = lockOf(1).acquire("apply");

        var taken = lockOf(2).unlock(held.record().id());
        assertThat(taken.owner()).isEqualTo(owner(1));
        try (var next = lockOf(2).acquire("apply")) {
            assertThat(codeOf(() -> change(held))).isEqualTo(Code.LOCK_LOST);
            held.close();

            next.requireHeld();
            assertThat(lockOf(3).holder()).contains(next.record());
        }
    }

    /** What an operation does before it changes something: asks, and for some locks the write itself finds out. */
    protected void change(SiteLock.HeldLock held) {
        held.requireHeld();
    }

    @Test
    void unlockWantsTheIdOfTheLockThatIsThere() {
        assertThat(codeOf(() -> lockOf(2).unlock("x"))).isEqualTo(Code.LOCK_UNKNOWN);
        try (var held = lockOf(1).acquire("apply")) {
            assertThat(codeOf(() -> lockOf(2).unlock("x"))).isEqualTo(Code.LOCK_UNKNOWN);
            held.requireHeld();
        }
    }

    @Test
    void oneOfManyWins() throws Exception {
        var together = new CyclicBarrier(8);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tries = threads.invokeAll(IntStream.range(0, 8)
                    .mapToObj(process -> (Callable<Boolean>) () -> {
                        together.await();
                        try {
                            lockOf(process).acquire("apply");
                            return true;
                        } catch (Failure e) {
                            assertThat(e.diagnostics().getFirst().code()).isEqualTo(Code.LOCK_HELD);
                            return false;
                        }
                    })
                    .toList());

            int won = 0;
            for (var each : tries) {
                won += each.get() ? 1 : 0;
            }
            assertThat(won).isEqualTo(1);
        }
    }

    private static Code codeOf(ThrowingCallable work) {
        return catchThrowableOfType(Failure.class, work)
                .diagnostics()
                .getFirst()
                .code();
    }
}
