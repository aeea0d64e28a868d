package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.diag.ExitCode;
import io.deepsite.plan.Change;
import io.deepsite.plan.Consent;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.site.GpuRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two clusters: a with a controller on the head, and nodes; b with node-1 alone. */
class DrainingTest {
    private static final ApplyOptions CONSENTED =
            new ApplyOptions(EnumSet.allOf(Consent.class), Optional.empty(), Optional.empty());

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private SmallSite site;

    @BeforeEach
    void twoClusters() throws IOException {
        site = new SmallSite(folder);
        site.nodes = 3;
        site.draining.add("slurm_node");
        stages("node-2", "node-3");
        site.withAnsible("");
        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);
        site.observe("head", "node-1", "node-2", "node-3");
    }

    @Test
    void aDrainThatFailsBlocksItsOwnClusterOnly() throws IOException {
        scaleDown();
        site.withAnsible("node-3");

        assertThat(site.apply(site.plan(), CONSENTED).exit()).isEqualTo(ExitCode.FAILED);

        assertThat(site.outcome("leave.slurm_node@node-3")).isEqualTo(Event.StepOutcome.FAILED);
        assertThat(site.outcome("resource:instance/node-3")).isEqualTo(Event.StepOutcome.BLOCKED);
        assertThat(site.outcome("a.control@head")).isEqualTo(Event.StepOutcome.BLOCKED);
        assertThat(site.outcome("a.node@node-2")).isEqualTo(Event.StepOutcome.BLOCKED);
        assertThat(site.outcome("names@head")).isEqualTo(Event.StepOutcome.BLOCKED);
        assertThat(site.outcome("names@node-1")).isEqualTo(Event.StepOutcome.DONE);
        assertThat(site.outcome("b.base@node-1")).isEqualTo(Event.StepOutcome.DONE);
    }

    @Test
    void aDrainThatTakesItsTimeHoldsUpItsOwnClusterOnly() throws IOException {
        scaleDown();
        // The drain ends only when cluster b is done: if b waited for it, it would never end.
        site.withAnsible("", """
                mkfifo done 2>/dev/null
                case $play in
                    leave.*) read -r line <done ;;
                    b.base) echo >done ;;
                esac
                """);

        assertThat(site.apply(site.plan(), CONSENTED).exit()).isEqualTo(ExitCode.DONE);

        assertThat(site.plays()).contains("b.base node-1", "names head", "names node-2");
    }

    @Test
    void aMachineIsDrainedBeforeItIsReplaced() throws IOException {
        site.image = "debian/13";

        assertThat(site.apply(site.plan(), CONSENTED).exit()).isEqualTo(ExitCode.DONE);

        assertThat(ended("leave.slurm_node@node-2")).isLessThan(ended("resource:instance/node-2"));
        assertThat(ended("resource:instance/node-2")).isLessThan(ended("a.node@node-2"));
        assertThat(site.state().hosts().get("node-2").roles()).containsKey("slurm_node");
    }

    @Test
    void aMachineIsDrainedBeforeItIsRestartedAndTakesWorkAgainAfterIt() throws IOException {
        site.cards =
                new GpuRequest[] {new GpuRequest(Optional.empty(), Optional.empty(), 1, List.of(), Optional.empty())};
        var plan = site.plan();

        assertThat(plan.consents()).contains(Consent.REBOOT, Consent.DRAIN);
        // The controller drains its nodes, so it restarts after them; the other cluster's node restarts at any time.
        assertThat(needs(plan, "resource:instance/head"))
                .contains("leave.slurm_node@node-2", "leave.slurm_node@node-3");
        assertThat(needs(plan, "resource:instance/node-1")).noneMatch(need -> need.startsWith("leave."));
        assertThat(site.apply(plan, CONSENTED).exit()).isEqualTo(ExitCode.DONE);

        assertThat(ended("leave.slurm_node@node-2")).isLessThan(ended("resource:instance/node-2"));
        assertThat(ended("resource:instance/node-2")).isLessThan(ended("a.node@node-2"));
        assertThat(plan.steps())
                .filteredOn(step -> step.id().equals("a.node@node-2"))
                .singleElement()
                .satisfies(step -> assertThat(((Step.OfRole) step).actions())
                        .singleElement()
                        .satisfies(action -> assertThat(action.change()).isEqualTo(Change.CREATE)));
    }

    @Test
    void aMachineThatIsChangedAndRunsOnIsNotDrained() throws IOException {
        site.cpus = 2;

        assertThat(site.plan().steps()).filteredOn(Step.Leave.class::isInstance).isEmpty();
    }

    @Test
    void aMachineThatCannotBeDrainedIsNotReplacedButTheOthersAre() throws IOException {
        site.image = "debian/13";
        site.withAnsible("node-2");
        site.provider.forgetCalls();

        assertThat(site.apply(site.plan(), CONSENTED).exit()).isEqualTo(ExitCode.FAILED);

        assertThat(site.outcome("resource:instance/node-2")).isEqualTo(Event.StepOutcome.BLOCKED);
        assertThat(site.outcome("resource:instance/node-3")).isEqualTo(Event.StepOutcome.DONE);
        assertThat(site.provider.changes()).noneMatch(call -> call.contains("instance/node-2"));
    }

    private static List<String> needs(Plan plan, String step) {
        return plan.steps().stream().filter(one -> one.id().equals(step)).findFirst().orElseThrow().needs().stream()
                .flatMap(plan.barriers()::stepsOf)
                .toList();
    }

    private void scaleDown() {
        site.nodes = 2;
        site.fingerprint = "another";
        site.stages.clear();
        stages("node-2");
    }

    /** As in a real site: names on all hosts, the controller of a, its nodes, and b. */
    private void stages(String... nodesOfA) {
        var all = new String[nodesOfA.length + 2];
        all[0] = "head";
        all[1] = "node-1";
        System.arraycopy(nodesOfA, 0, all, 2, nodesOfA.length);
        site.withStage("names", "etc_hosts", List.of(), all)
                .withStage("a.control", "slurm_controller", List.of("names"), "head")
                .withStage("a.base", "munge", List.of("names"), onlyA(nodesOfA))
                .withStage("a.node", "slurm_node", List.of("a.base", "a.control"), nodesOfA)
                .withStage("b.base", "munge", List.of("names"), "node-1");
    }

    private static String[] onlyA(String... nodesOfA) {
        var all = new String[nodesOfA.length + 1];
        all[0] = "head";
        System.arraycopy(nodesOfA, 0, all, 1, nodesOfA.length);
        return all;
    }

    /** Position in the order in which steps ended. */
    private int ended(String step) {
        return site.ended().lastIndexOf(step);
    }
}
