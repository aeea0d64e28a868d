package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.plan.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WaitsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private SmallSite site;

    @BeforeEach
    void begin() throws IOException {
        site = new SmallSite(folder);
        site.withAnsible("").withStage("nodes", "slurm_node", List.of(), "node-1");
    }

    @Test
    void aRoleWaitsForItsOwnMachineAlone() {
        assertThat(of(site.plan(), "nodes@node-1"))
                .contains("resource:instance/node-1")
                .doesNotContain("resource:instance/head", "resource:instance/node-2");
    }

    @Test
    void aRoleWaitsForTheMachinesThatItsActionsMayDelegateTo() {
        site.draining.add("slurm_node");

        assertThat(of(site.plan(), "nodes@node-1")).contains("resource:instance/head", "resource:instance/node-2");
    }

    @Test
    void aRemovalWaitsForTheChangeOfItsMachine() {
        site.withStage("gone", "motd", List.of(), "head");
        site.apply();
        site.observe("head", "node-1");
        site.stages.removeLast();
        site.cpus = 2;

        assertThat(of(site.plan(), "leave.motd@head")).contains("resource:instance/head");
    }

    @Test
    void aDrainDoesNotWaitForTheMachineThatWaitsForIt() {
        site.draining.add("slurm_node");
        site.apply();
        site.observe("head", "node-1", "node-2");
        site.image = "debian/13";

        assertThat(of(site.plan(), "leave.slurm_node@node-1")).doesNotContain("resource:instance/node-1");
    }

    private static Stream<String> of(Plan plan, String id) {
        var step = plan.steps().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
        return new Waits(plan, plan.steps()).of(step);
    }
}
