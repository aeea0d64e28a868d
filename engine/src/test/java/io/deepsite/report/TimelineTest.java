package io.deepsite.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.Event;
import io.deepsite.apply.Event.StepOutcome;
import io.deepsite.report.Timeline.How;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");

    private Instant now = BEGIN;
    private final Timings timings = new Timings(() -> now);

    @Test
    void hostsOnWhichTheSameWasDoneAreOneRow() {
        for (int i = 1; i <= 2000; i++) {
            step(i % 10, i % 10 + i / 100, "node-" + i, StepOutcome.DONE, "");
        }

        var rows = timeline().rows();

        assertThat(rows).singleElement().satisfies(row -> {
            assertThat(row.subjects()).hasSize(2000).startsWith("node-1", "node-2", "node-3");
            assertThat(row.steps()).singleElement().satisfies(step -> {
                assertThat(step.what()).isEqualTo("hpc.munge");
                assertThat(step.from()).isEqualTo(Duration.ZERO);
                assertThat(step.to()).isEqualTo(Duration.ofSeconds(28));
                assertThat(step.slowest().length()).isEqualTo(Duration.ofSeconds(20));
            });
        });
    }

    @Test
    void aFaultThatNamesItsHostIsTheSameOnAll() {
        step(0, 5, "node-1", StepOutcome.FAILED, "node-1 did not answer");
        step(0, 6, "node-2", StepOutcome.FAILED, "node-2 did not answer");
        step(0, 6, "node-3", StepOutcome.DONE, "");

        var rows = timeline().rows();

        assertThat(rows)
                .extracting(Timeline.Row::subjects)
                .containsExactly(List.of("node-1", "node-2"), List.of("node-3"));
        assertThat(rows.getFirst().steps()).extracting(Timeline.Step::message).containsExactly("node-1 did not answer");
    }

    @Test
    void whatWasNotTriedIsAtTheEnd() {
        step(0, 9, "head", StepOutcome.FAILED, "no space left");
        at(9, new Event.Ended("hpc.slurmd@node-1", "node-1", StepOutcome.BLOCKED, "", Duration.ZERO));

        var step = timeline().rows().getLast().steps().getFirst();

        assertThat(step.how()).isEqualTo(How.NOT_TRIED);
        assertThat(step.what()).isEqualTo("hpc.slurmd");
        assertThat(step.from()).isEqualTo(Duration.ofSeconds(9));
    }

    private Timeline timeline() {
        timings.over();
        return Timeline.of(new RunLog("run", timings, now));
    }

    /** Steps of a test may overlap: the clock goes back for each. */
    private void step(int from, int to, String host, StepOutcome outcome, String message) {
        at(from, new Event.Started("hpc.munge@" + host, host, "munge"));
        at(to, new Event.Ended("hpc.munge@" + host, host, outcome, message, Duration.ofSeconds(to - from)));
    }

    private void at(int second, Event event) {
        now = BEGIN.plusSeconds(second);
        timings.accept(event);
    }
}
