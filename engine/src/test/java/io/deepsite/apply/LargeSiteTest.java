package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.deepsite.diag.ExitCode;
import io.deepsite.plan.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps that wait for a whole stage. */
class LargeSiteTest {
    @TempDir
    private Path root;

    private SmallSite site;

    @BeforeEach
    void begin() throws IOException {
        site = new SmallSite(root).withAnsible("");
    }

    @Test
    void theOrderOfANewSiteGrowsWithItsHostsNotWithTheirSquare() {
        stages(20);
        int few = edges(site.plan());
        stages(40);
        int many = edges(site.plan());

        assertThat(many).isLessThanOrEqualTo(2 * few);
    }

    @Test
    void theOrderOfRemovalsGrowsWithTheHostsNotWithTheirSquare() throws IOException {
        int few = edges(scaledDown(10));
        begin();
        int many = edges(scaledDown(20));

        assertThat(many).isLessThanOrEqualTo(2 * few);
    }

    @Test
    void theBenchmarkOfLargeSitesRuns() {
        assertThatCode(() -> LargeApply.main(new String[] {"3", "0", root.toString()}))
                .doesNotThrowAnyException();
    }

    @Test
    void aStageWaitsForAllHostsOfAnother() throws IOException {
        stages(3);

        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);

        assertThat(site.ended())
                .filteredOn(step -> step.startsWith("hpc."))
                .contains("hpc.nodes@node-1", "hpc.nodes@node-2", "hpc.nodes@node-3")
                .endsWith("hpc.done@head");
    }

    @Test
    void aStepDoesNotRunAfterOneHostOfTheStageThatItWaitsForFailed() throws IOException {
        site.withAnsible("node-2");
        stages(3);

        site.apply();

        assertThat(site.outcome("base@node-1")).isEqualTo(Event.StepOutcome.DONE);
        assertThat(site.outcome("hpc.nodes@node-1")).isEqualTo(Event.StepOutcome.DONE);
        assertThat(site.outcome("hpc.nodes@node-2")).isEqualTo(Event.StepOutcome.BLOCKED);
        assertThat(site.outcome("hpc.done@head")).isEqualTo(Event.StepOutcome.BLOCKED);
    }

    @Test
    void aStageThatWaitsForHostsOutsideTheLimitIsOutsideItToo() {
        stages(3);

        var admitted = Limits.admitted(site.plan(), new ApplyOptions(Set.of(), Optional.empty(), Optional.of("head")));

        assertThat(admitted).extracting(step -> step.id()).containsExactly("base@head");
    }

    /** Machines are removed, and the others wait until they are drained. */
    private Plan scaledDown(int nodes) {
        site.draining.add("slurm_node");
        drainedStages(2 * nodes);
        site.apply();
        site.observe(Stream.concat(Stream.of("head"), names(2 * nodes)).toArray(String[]::new));
        site.fingerprint = "another";
        drainedStages(nodes);
        return site.plan();
    }

    private void drainedStages(int nodes) {
        site.nodes = nodes;
        site.stages.clear();
        site.withStage("base", "etc_hosts", List.of(), all(nodes));
        site.withStage("hpc.nodes", "slurm_node", List.of("base"), names(nodes).toArray(String[]::new));
    }

    private void stages(int nodes) {
        site.nodes = nodes;
        site.stages.clear();
        site.withStage("base", "etc_hosts", List.of(), all(nodes));
        site.withStage("hpc.nodes", "slurm_node", List.of("base"), names(nodes).toArray(String[]::new));
        site.withStage("hpc.done", "slurm_done", List.of("hpc.nodes"), "head");
    }

    private static String[] all(int nodes) {
        return Stream.concat(Stream.of("head"), names(nodes)).toArray(String[]::new);
    }

    private static Stream<String> names(int nodes) {
        return IntStream.rangeClosed(1, nodes).mapToObj(number -> "node-" + number);
    }

    private static int edges(Plan plan) {
        return plan.steps().stream().mapToInt(step -> step.needs().size()).sum()
                + plan.barriers().steps().values().stream().mapToInt(List::size).sum();
    }
}
