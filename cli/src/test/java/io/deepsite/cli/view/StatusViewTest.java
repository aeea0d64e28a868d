package io.deepsite.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.operations.StatusReport;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedApply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusViewTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void siteWithoutApplyWasNeverVerified() {
        assertThat(text(Optional.empty())).contains("Last verify  never\n");
    }

    /** A change invalidates the last verify, but it did run. */
    @Test
    void changedSiteHasNoVerifySinceTheChange() {
        assertThat(text(Optional.of(new RecordedApply("2026-01-02T03-00-00Z", Outcome.FAILED, NOW))))
                .contains("Last verify  none since the last change\n");
    }

    @Test
    void manyMachinesAreListedByWhatTheyHaveInCommon() {
        var machines = new ArrayList<StatusReport.MachineRow>();
        machines.add(new StatusReport.MachineRow("head", "10.0.0.1", "ready", List.of("slurm_controller")));
        for (int number = 1; number <= 2000; number++) {
            machines.add(new StatusReport.MachineRow(
                    "node-" + number,
                    "10.0." + number / 250 + "." + (number % 250 + 2),
                    number == 700 ? "stopped" : "ready",
                    List.of("munge", "slurm_node")));
        }

        assertThat(text(machines, Optional.empty())).contains("""

                Machines  2000 ready, 1 stopped
                  head                           ready    10.0.0.1             slurm_controller
                  node-[1-699], node-[701-2000]  ready    10.0.0.3 … 10.0.8.2  munge, slurm_node
                  node-700                       stopped  10.0.2.202           munge, slurm_node

                """);
    }

    private static String text(Optional<RecordedApply> apply) {
        return text(List.of(), apply);
    }

    private static String text(List<StatusReport.MachineRow> machines, Optional<RecordedApply> apply) {
        return new StatusView(Style.PLAIN, NOW)
                .text(new StatusReport(
                        "lab",
                        "lxd",
                        List.of(),
                        machines,
                        List.of(),
                        apply,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of()));
    }
}
