package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSiteLockTest extends SiteLockContractTest {
    private static final LockOwner ALICE = new LockOwner("alice", "laptop", "boot-1", 4711, 100, "0.1.0");
    private static final LockOwner BOB = new LockOwner("bob", "laptop", "boot-1", 4712, 200, "0.1.0");
    private static final LockOwner CAROL = new LockOwner("carol", "server", "boot-9", 4711, 100, "0.1.0");

    @TempDir
    Path folder;

    private final List<Diagnostic> notices = new CopyOnWriteArrayList<>();
    private Instant now = Instant.parse("2026-11-21T12:00:00.7Z");
    private Processes processes = pid -> OptionalLong.of(pid == ALICE.pid() ? 100 : 200);

    @Test
    void refusesASecondAndPrintsTheHolder() {
        try (var held = lock(ALICE).acquire("apply")) {
            var failure = catchThrowableOfType(Failure.class, () -> lock(BOB).acquire("destroy"));

            var diagnostic = failure.diagnostics().getFirst();
            assertThat(failure.exit()).isEqualTo(ExitCode.LOCK_HELD);
            assertThat(diagnostic.code()).isEqualTo(Code.LOCK_HELD);
            assertThat(diagnostic.why())
                    .contains("\"apply\"", "alice", "laptop", "4711", "0.1.0", "2026-11-21T12:00:00Z")
                    .contains(held.record().id(), stateFolder().lockFile().toString());
            assertThat(diagnostic.commands())
                    .containsExactly("deepsite unlock " + held.record().id());
        }
    }

    @Test
    void refusesTheSameProcessASecondTime() {
        try (var _ = lock(ALICE).acquire("apply")) {
            assertThat(codeOf(() -> lock(ALICE).acquire("apply"))).isEqualTo(Code.LOCK_HELD);
        }
    }

    @Test
    void takesOverFromADeadProcessOfThisMachineWithANotice() {
        lock(ALICE).acquire("apply");
        processes = pid -> OptionalLong.empty();

        try (var held = lock(BOB).acquire("apply")) {
            assertThat(held.record().owner()).isEqualTo(BOB);
        }
        assertThat(notices).extracting(Diagnostic::code).containsExactly(Code.LOCK_TAKEN_OVER);
        assertThat(notices.getFirst().why()).contains("alice", "4711");
    }

    @Test
    void aLockIsOfTheDeadOnlyIfItsProcessWasOfThisMachineAndHasEnded() {
        assertThat(lock(BOB).isOfTheDead()).isFalse();
        var held = lock(ALICE).acquire("apply");
        assertThat(lock(BOB).isOfTheDead()).isFalse();

        processes = pid -> OptionalLong.empty();

        assertThat(lock(BOB).isOfTheDead()).isTrue();
        held.close();
        lock(CAROL).acquire("apply");
        assertThat(lock(BOB).isOfTheDead()).isFalse();
    }

    @Test
    void aHeartbeatIsOverdueAfterFourOfThemAndNotBefore() {
        var record = lock(CAROL).acquire("apply").record();

        assertThat(record.isSilent(record.heartbeat().plusSeconds(60))).isFalse();
        assertThat(record.isSilent(record.heartbeat().plusSeconds(61))).isTrue();
    }

    @Test
    void aProcessThatGotTheSameNumberIsNotTheHolder() {
        lock(ALICE).acquire("apply");
        processes = pid -> OptionalLong.of(999);

        assertThatNoException().isThrownBy(() -> lock(BOB).acquire("apply").close());
    }

    @Test
    void neverTakesOverFromAnotherMachineButReportsItsLastHeartbeat() {
        lock(CAROL).acquire("apply");
        processes = pid -> OptionalLong.empty();
        assertThat(whyNot(BOB)).doesNotContain("probably ended");

        now = now.plus(Duration.ofMinutes(10));

        assertThat(whyNot(BOB)).contains("carol", "server", "Its last heartbeat was 10 minutes ago");
        assertThat(notices).isEmpty();
    }

    @Test
    void aHeartbeatIsASignOfLife() throws IOException {
        var held = (FileHeldLock) lock(CAROL).acquire("apply");
        now = now.plus(Duration.ofMinutes(10));

        held.beat();

        assertThat(lock(BOB).holder().orElseThrow().heartbeat()).isEqualTo(Instant.parse("2026-11-21T12:10:00Z"));
        assertThat(whyNot(BOB)).doesNotContain("probably ended");
    }

    @Test
    void eachHeartbeatTakesThePlaceOfTheOneBefore() {
        var held = (FileHeldLock) lock(CAROL).acquire("apply");
        assertThat(held.beatAndLook()).isTrue();
        now = now.plus(Duration.ofMinutes(10));

        assertThat(held.beatAndLook()).isTrue();

        assertThat(stateFolder().lockFile())
                .hasBinaryContent(FileSiteLock.bytes(held.record().beatenAt(now.truncatedTo(ChronoUnit.SECONDS))));
    }

    @Test
    void aLockThatCannotBeReadIsNotLostYet() throws IOException {
        var stops = new AtomicInteger();
        var held = (FileHeldLock) lock(ALICE).acquire("apply");
        held.whenLost(stops::incrementAndGet);
        Files.delete(stateFolder().lockFile());
        Files.writeString(stateFolder().lockFile(), "{");

        assertThat(held.beatAndLook()).isTrue();
        assertThat(stops).hasValue(0);
    }

    @Test
    void aLockThatWasGivenBackIsNotLost() {
        var stops = new AtomicInteger();
        var held = (FileHeldLock) lock(ALICE).acquire("apply");
        held.whenLost(stops::incrementAndGet);

        held.close();

        assertThat(held.beatAndLook()).isTrue();
        assertThat(stops).hasValue(0);
    }

    @Test
    void unlockTakesTheLockAwayAndTheHolderNotices() throws IOException {
        var held = (FileHeldLock) lock(ALICE).acquire("apply");

        var taken = lock(BOB).unlock(held.record().id());

        assertThat(taken.owner()).isEqualTo(ALICE);
        assertThat(notices).extracting(Diagnostic::code).containsExactly(Code.LOCK_LOST);
        assertThat(codeOf(held::requireHeld)).isEqualTo(Code.LOCK_LOST);
        try (var next = lock(BOB).acquire("apply")) {
            held.beat();
            held.close();

            next.requireHeld();
            assertThat(lock(BOB).holder()).contains(next.record());
        }
    }

    @Test
    void anUnreadableLockStillHolds() throws IOException {
        stateFolder().make();
        Files.createFile(stateFolder().lockFile());

        var failure = catchThrowableOfType(Failure.class, () -> lock(BOB).acquire("apply"));

        assertThat(failure.exit()).isEqualTo(ExitCode.LOCK_HELD);
        assertThat(failure.diagnostics().getFirst().commands())
                .containsExactly("rm " + stateFolder().lockFile());
    }

    @Test
    void oneOfManyTakesOver() throws InterruptedException {
        lock(ALICE).acquire("apply");
        processes = pid -> pid == ALICE.pid() ? OptionalLong.empty() : OptionalLong.of(200);
        var wins = new AtomicInteger();
        var refusals = new AtomicInteger();
        var begin = new CountDownLatch(1);
        var threads = new ArrayList<Thread>();

        for (var i = 0; i < 24; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    begin.await();
                    lock(BOB).acquire("apply");
                    wins.incrementAndGet();
                } catch (Failure e) {
                    refusals.incrementAndGet();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        begin.countDown();
        for (var thread : threads) {
            thread.join();
        }

        assertThat(wins).hasValue(1);
        assertThat(refusals).hasValue(23);
        assertThat(notices).extracting(Diagnostic::code).containsExactly(Code.LOCK_TAKEN_OVER);
    }

    @Test
    void aCancelledThreadStillGivesItsLockBack() {
        var held = lock(ALICE).acquire("apply");
        Thread.currentThread().interrupt();

        held.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock(BOB).holder()).isEmpty();
    }

    @Test
    void aRealProcessHoldsUntilItIsKilled() throws Exception {
        var mine = new FileSiteLock(stateFolder(), LockOwner.current("0.1.0"), () -> now, notices::add);
        var other = Doomed.start(Holder.class, "", folder);
        try {
            var line = new String(other.getInputStream().readNBytes(5), StandardCharsets.UTF_8);
            assertThat(line).isEqualTo("held\n");
            assertThat(codeOf(() -> mine.acquire("apply"))).isEqualTo(Code.LOCK_HELD);
        } finally {
            other.destroyForcibly().waitFor();
        }

        mine.acquire("apply").close();

        assertThat(notices).extracting(Diagnostic::code).containsExactly(Code.LOCK_TAKEN_OVER);
    }

    @Test
    void whatRunsUnderALockThatIsTakenAwayIsStopped() {
        var stops = new AtomicInteger();
        var held = (FileHeldLock) lock(ALICE).acquire("apply");
        held.whenLost(stops::incrementAndGet);
        assertThat(held.beatAndLook()).isTrue();

        lock(BOB).unlock(held.record().id());

        assertThat(held.beatAndLook()).isFalse();
        assertThat(stops).hasValue(1);
    }

    @Override
    protected SiteLock lockOf(int process) {
        return lock(owner(process));
    }

    private FileSiteLock lock(LockOwner owner) {
        return new FileSiteLock(stateFolder(), owner, pid -> processes.start(pid), () -> now, notices::add);
    }

    private StateFolder stateFolder() {
        return StateFolder.of(folder.resolve("site.yaml"), "lab");
    }

    private String whyNot(LockOwner owner) {
        var failure = catchThrowableOfType(Failure.class, () -> lock(owner).acquire("apply"));
        return failure.diagnostics().getFirst().why();
    }

    private static Code codeOf(ThrowingCallable call) {
        return catchThrowableOfType(Failure.class, call)
                .diagnostics()
                .getFirst()
                .code();
    }

    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws InterruptedException {
            var folder = StateFolder.of(Path.of(arguments[0], "site.yaml"), "lab");
            new FileSiteLock(folder, LockOwner.current("0.1.0"), InstantSource.system(), _ -> {}).acquire("apply");
            System.out.println("held");
            new CountDownLatch(1).await();
        }
    }
}
