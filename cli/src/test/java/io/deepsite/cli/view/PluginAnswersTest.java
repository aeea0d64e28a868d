package io.deepsite.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cli.view.PluginAnswer.State;
import io.deepsite.lease.Enforcement;
import io.deepsite.operations.StatusReport;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedApply;
import io.deepsite.state.RecordedLease;
import io.deepsite.state.RecordedVerify;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PluginAnswersTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void leaseIsComparedWithItsLimits() {
        assertThat(leased(Duration.ofHours(9)).line())
                .isEqualTo("DEEPSITE OK - lab: 2 machines, verified"
                        + " | machines=2 not_ready=0;;0 verify_age=3600s lease_left=32400s;28800:;7200:\n");
        assertThat(leased(Duration.ofHours(7)).state()).isEqualTo(State.WARNING);
        assertThat(leased(Duration.ofHours(1)).state()).isEqualTo(State.CRITICAL);
        assertThat(leased(Duration.ofHours(1)).text()).contains("lease ends 2026-01-02 04:04 UTC");
    }

    @Test
    void leaseThatIsOverIsCriticalWithoutLimits() {
        var over = answer(
                "ready",
                Outcome.PASSED,
                Duration.ofSeconds(-1),
                Enforcement.By.SYSTEMD,
                Optional.empty(),
                Optional.empty());

        assertThat(over.line())
                .startsWith("DEEPSITE CRITICAL - lab: lease ends ")
                .endsWith(" lease_left=-1s;;0:\n");
    }

    @Test
    void leaseThatNobodyEnforcesIsAWarning() {
        var open = answer(
                "ready", Outcome.PASSED, Duration.ofDays(9), Enforcement.By.NOBODY, Optional.empty(), Optional.empty());

        assertThat(open.state()).isEqualTo(State.WARNING);
        assertThat(open.text()).contains("nobody enforces the lease");
    }

    @Test
    void worstComesFirst() {
        var bad = answer(
                "stopped",
                Outcome.FAILED,
                Duration.ofHours(1),
                Enforcement.By.SYSTEMD,
                Optional.of(Duration.ofHours(2)),
                Optional.empty());

        assertThat(bad.state()).isEqualTo(State.CRITICAL);
        assertThat(bad.text())
                .startsWith("lab: node stopped; last verify failed 1 h ago; lease ends 2026-01-02 04:04 UTC");
    }

    /** A message of a host may be long, have lines, and bars, which would begin the measures. */
    @Test
    void textStaysOneLine() {
        var answer = new PluginAnswer(State.CRITICAL, "a\nb|c\u001b[0m" + "x".repeat(5000), List.of());

        assertThat(answer.line())
                .startsWith("DEEPSITE CRITICAL - a; b/c?[0m")
                .hasSizeLessThan(600)
                .hasLineCount(1)
                .doesNotContain("|");
    }

    private static PluginAnswer leased(Duration left) {
        return answer(
                "ready",
                Outcome.PASSED,
                left,
                Enforcement.By.SYSTEMD,
                Optional.of(Duration.ofHours(8)),
                Optional.of(Duration.ofHours(2)));
    }

    @Test
    void metricsHaveTimesAndAMachineThatIsLost() {
        assertThat(StatusMetrics.text(status("gone", Outcome.FAILED, Duration.ofHours(9), Enforcement.By.SYSTEMD)))
                .contains("deepsite_site_machines{site=\"lab\",condition=\"gone\"} 1\n")
                .contains("deepsite_site_machines{site=\"lab\",condition=\"ready\"} 1\n")
                .contains("deepsite_site_verify_passed{site=\"lab\"} 0\n")
                .contains("deepsite_site_verify_timestamp_seconds{site=\"lab\"} 1767319445\n")
                .contains("deepsite_site_lease_end_timestamp_seconds{site=\"lab\"} 1767355445\n");
    }

    private static PluginAnswer answer(
            String condition,
            Outcome verify,
            Duration left,
            Enforcement.By by,
            Optional<Duration> warning,
            Optional<Duration> critical) {
        return new PluginAnswers("lab").status(status(condition, verify, left, by), NOW, warning, critical);
    }

    private static StatusReport status(String condition, Outcome verify, Duration left, Enforcement.By by) {
        var hourAgo = NOW.minus(Duration.ofHours(1));
        return new StatusReport(
                "lab",
                "lxd",
                List.of(),
                List.of(
                        new StatusReport.MachineRow("head", "10.0.0.1", "ready", List.of()),
                        new StatusReport.MachineRow("node", "10.0.0.2", condition, List.of())),
                List.of(),
                Optional.of(new RecordedApply("2026-01-02T02-00-00Z", Outcome.PASSED, hourAgo)),
                Optional.of(new RecordedVerify("f", verify, hourAgo)),
                Optional.of(new RecordedLease(RecordedLease.UNKNOWN, NOW.plus(left), null)),
                Optional.of(by),
                Optional.empty(),
                List.of());
    }
}
