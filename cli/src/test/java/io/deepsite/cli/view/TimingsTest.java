package io.deepsite.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.Event;
import io.deepsite.report.Timings;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TimingsTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/timings");
    private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");

    private Instant now = BEGIN;
    private final Timings timings = new Timings(() -> now);

    @Test
    void showsPhasesProcessesConnectionsAndTheSlowestSteps() {
        sample();

        Golden.assertSame(
                GOLDEN.resolve("text.txt"),
                TimingsView.text(timings, new TreeMap<>(Map.of("head", 4, "node-1", 1, "node-2", 2))));
    }

    @Test
    void writesATrackForEachHostAndEachProcess() {
        sample();

        Golden.assertSame(GOLDEN.resolve("trace.json"), ChromeTrace.json(timings));
    }

    @Test
    void aRunThatDidNothingHasNeitherStepsNorProcesses() {
        timings.over();

        assertThat(TimingsView.text(timings, Map.of()))
                .isEqualTo("Timings\nSSH connections of deepsite: 0 to 0 hosts, at most 0 to one\n");
    }

    /** Each event at its second. */
    private void sample() {
        SampleRun.events().forEach(timed -> at(timed.second(), timed.event()));
        at(
                38,
                new Event.AnsibleEnded(
                        "1",
                        List.of(
                                "site.etc_hosts",
                                "site.users",
                                "hpc.munge",
                                "hpc.slurm_accounting",
                                "hpc.slurm_controller"),
                        2,
                        20,
                        2,
                        1,
                        Duration.ofMillis(600),
                        Duration.ofSeconds(14)));
        SampleRun.verification().forEach(timed -> at(timed.second(), timed.event()));
        now = BEGIN.plusSeconds(45);
        timings.over();
    }

    private void at(int second, Event event) {
        now = BEGIN.plusSeconds(second);
        timings.accept(event);
    }
}
