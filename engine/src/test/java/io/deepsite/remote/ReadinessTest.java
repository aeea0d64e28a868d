package io.deepsite.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FaultMessage;
import io.deepsite.provider.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private static final SshTarget TARGET = LocalRemote.target("node-1");

    private final List<Duration> pauses = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();
    private final Deque<Code> faults = new ArrayDeque<>();
    private Instant now = Instant.parse("2026-11-21T02:00:00Z");
    private boolean cancelled;

    @Test
    void returnsAsSoonAsTheHostAnswers() {
        faults.addAll(List.of(Code.HOST_SILENT, Code.HOST_SILENT, Code.LOGIN_REFUSED, Code.ROOT_NEEDED));

        readiness(Duration.ofMinutes(5)).await(TARGET, call(), Watch.NONE);

        assertThat(pauses).hasSize(4).isSorted();
        assertThat(progress.getFirst()).contains("node-1").contains("does not answer SSH");
        assertThat(progress.getLast()).contains("cannot become root");
    }

    @Test
    void waitsLongerEachTimeButNeverLong() {
        for (int i = 0; i < 30; i++) {
            faults.add(Code.HOST_SILENT);
        }

        readiness(Duration.ofMinutes(5)).await(TARGET, call(), Watch.NONE);

        assertThat(pauses.getFirst()).isEqualTo(Duration.ofMillis(200));
        assertThat(pauses.getLast()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void saysWhatWasTriedSinceWhenAndWhatTheConsoleShows() {
        for (int i = 0; i < 1000; i++) {
            faults.add(Code.HOST_SILENT);
        }

        var failure = catchThrowableOfType(
                Failure.class,
                () -> readiness(Duration.ofMinutes(1)).await(TARGET, call(), watch(() -> Optional.empty())));

        var diagnostic = failure.diagnostics().getFirst();
        assertThat(diagnostic.code()).isEqualTo(Code.HOST_SILENT);
        assertThat(diagnostic.why())
                .contains("node-1 (root@192.0.2.1:22)")
                .contains("from 2026-11-21T02:00:00Z")
                .contains("times")
                .contains("the host is not there")
                .contains("[31mEmergency mode")
                .doesNotContain("\u001b");
        assertThat(diagnostic.why().lines().filter("old"::equals)).hasSize(14);
        assertThat(diagnostic.commands()).containsExactly("look at it");
        assertThat(Duration.between(Instant.parse("2026-11-21T02:00:00Z"), now))
                .isLessThanOrEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void doesNotWaitForAMachineThatIsStopped() {
        for (int i = 0; i < 1000; i++) {
            faults.add(Code.HOST_SILENT);
        }

        var failure = catchThrowableOfType(
                Failure.class,
                () -> readiness(Duration.ofMinutes(5))
                        .await(TARGET, call(), watch(() -> Optional.of("its status is Stopped"))));

        var diagnostic = failure.diagnostics().getFirst();
        assertThat(diagnostic.code()).isEqualTo(Code.MACHINE_DOWN);
        assertThat(diagnostic.why()).contains("node-1", "its status is Stopped", "Emergency mode");
        FaultMessage.assertReads("hosts/DS3009-machine-down", () -> {
            throw failure;
        });
        assertThat(Duration.between(Instant.parse("2026-11-21T02:00:00Z"), now)).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void waitsForAMachineThatOnlyRestarts() {
        for (int i = 0; i < 30; i++) {
            faults.add(Code.HOST_SILENT);
        }
        var start = now;

        readiness(Duration.ofMinutes(5))
                .await(
                        TARGET,
                        call(),
                        watch(() -> Duration.between(start, now).toSeconds() % 10 > 4
                                ? Optional.of("its status is Stopped")
                                : Optional.empty()));

        assertThat(Duration.between(start, now)).isGreaterThan(Duration.ofMinutes(1));
    }

    @Test
    void neverTriesAWrongHostKeyAgain() {
        faults.addAll(List.of(Code.HOST_SILENT, Code.HOST_KEY_WRONG, Code.HOST_SILENT));

        var failure = catchThrowableOfType(
                Failure.class, () -> readiness(Duration.ofMinutes(5)).await(TARGET, call(), Watch.NONE));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.HOST_KEY_WRONG);
        assertThat(faults).hasSize(1);
    }

    @Test
    void waitsForAHostKeyThatMayComeLate() {
        faults.addAll(List.of(Code.HOST_SILENT, Code.HOST_KEY_WRONG, Code.HOST_KEY_WRONG));

        readiness(Duration.ofMinutes(5), true).await(TARGET, call(), Watch.NONE);

        assertThat(faults).isEmpty();
    }

    @Test
    void reportsAKeyThatStaysWrongEvenIfItMayComeLate() {
        for (int i = 0; i < 500; i++) {
            faults.add(Code.HOST_KEY_WRONG);
        }

        var failure = catchThrowableOfType(
                Failure.class, () -> readiness(Duration.ofMinutes(5), true).await(TARGET, call(), Watch.NONE));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.HOST_KEY_WRONG);
    }

    @Test
    void stopsWhenCancelled() {
        faults.add(Code.HOST_SILENT);
        cancelled = true;

        var failure = catchThrowableOfType(
                Failure.class, () -> readiness(Duration.ofMinutes(5)).await(TARGET, call(), Watch.NONE));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.CANCELLED);
        assertThat(faults).hasSize(1);
    }

    private Readiness readiness(Duration limit) {
        return readiness(limit, false);
    }

    private Readiness readiness(Duration limit, boolean lateHostKey) {
        Remote remote = target -> {
            var code = faults.poll();
            if (code != null) {
                throw new Failure(Diagnostic.error(code, "the host is not there", "fix", "look at it"));
            }
            return new LocalRemote().open(target);
        };
        return new Readiness(remote, limit, lateHostKey, () -> now, time -> {
            pauses.add(time);
            now = now.plus(time);
        });
    }

    private static Watch watch(Supplier<Optional<String>> down) {
        return new Watch() {
            @Override
            public Optional<String> down() {
                return down.get();
            }

            @Override
            public String console() {
                return "old\n".repeat(50) + "\u001b[31mEmergency mode\n";
            }
        };
    }

    private Call call() {
        return new Call() {
            @Override
            public void progress(String what) {
                progress.add(what);
            }

            @Override
            public boolean cancelled() {
                return cancelled;
            }
        };
    }
}
