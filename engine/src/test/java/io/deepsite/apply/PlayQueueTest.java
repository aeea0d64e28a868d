package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlayQueueTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // in each test
    private Plan plan;

    @SuppressWarnings("NullAway.Init") // in each test
    private StepGraph graph;

    @SuppressWarnings("NullAway.Init") // in each test
    private PlayQueue queue;

    private int most = Integer.MAX_VALUE;

    @Test
    void hostsWithTheSameRolesShareAProcessThatRunsAllThatWaitForNoOtherHost() {
        begin(cluster());

        assertThat(taken(4)).containsExactly(List.of("base head", "control head"), List.of("base node-1,node-2"));

        end("base@head", "control@head", "base@node-1", "base@node-2");

        assertThat(taken(4)).containsExactly(List.of("join node-1,node-2"));
    }

    @Test
    void moreKindsOfHostsThanProcessesShareTheLast() {
        begin(cluster());

        assertThat(taken(1)).containsExactly(List.of("base head,node-1,node-2", "control head"));
        assertThat(taken(1)).isEmpty();
    }

    @Test
    void takesNothingWhileNoProcessIsFree() {
        begin(cluster());

        assertThat(taken(0)).isEmpty();
    }

    @Test
    void aStepThatWasNotBegunIsTakenAgain() {
        begin(cluster());
        taken(4);
        end("base@head");
        plan.steps().stream().filter(step -> step.id().equals("control@head")).forEach(queue::add);

        assertThat(taken(4)).containsExactly(List.of("control head"));
    }

    @Test
    void aRollingStageIsAloneInItsProcessAndRunsOnceAtATime() {
        begin(site().withStage("base", "etc_hosts", List.of(), "head", "node-1", "node-2")
                .withRollingStage("roll", "motd", List.of("base"), "head", "node-1", "node-2"));
        assertThat(taken(4)).containsExactly(List.of("base head,node-1,node-2"));

        end("base@node-1");
        var first = queue.take(4, false);
        end("base@head", "base@node-2");

        assertThat(names(first)).containsExactly(List.of("roll node-1"));
        assertThat(taken(4)).isEmpty();

        queue.over(first.getFirst());

        assertThat(taken(4)).containsExactly(List.of("roll head,node-2"));
    }

    @Test
    void aDroppedStepIsNotTaken() {
        begin(cluster());
        plan.steps().stream().filter(step -> step.id().equals("base@head")).forEach(queue::drop);

        assertThat(taken(4)).containsExactly(List.of("base node-1,node-2"));
    }

    @Test
    void whileMachinesAreBeingMadeHostsOfAKindBeginTogetherOnceTheyAreAShareOfIt() {
        var site = site();
        site.nodes = 20;
        var nodes = IntStream.rangeClosed(1, 20)
                .mapToObj(number -> "node-" + number)
                .toArray(String[]::new);
        site.withStage("base", "etc_hosts", List.of(), nodes);
        plan = site.plan();
        graph = new StepGraph(plan.steps(), new Waits(plan, plan.steps()));
        queue = new PlayQueue(plan, graph, most);
        plan.steps().stream().filter(step -> !(step instanceof Step.OfResource)).forEach(queue::add);
        queue.begin();

        end("resource:network/net", "resource:instance/node-1", "resource:instance/node-2");
        assertThat(names(queue.take(4, true))).isEmpty();

        end("resource:instance/node-3");
        assertThat(names(queue.take(4, true))).containsExactly(List.of("base node-1,node-2,node-3"));

        // Of 17 to come one is no share; but none is waited for once no machine is being made.
        end("resource:instance/node-4");
        assertThat(names(queue.take(4, true))).isEmpty();
        assertThat(names(queue.take(4, false))).containsExactly(List.of("base node-4"));
    }

    @Test
    void moreHostsOfAKindThanOneProcessMayHaveAreSplitIntoPartsOfAboutTheSameSize() {
        most = 2;
        begin(site().withStage("base", "etc_hosts", List.of(), "head", "node-1", "node-2"));

        assertThat(taken(4)).containsExactly(List.of("base head,node-1"), List.of("base node-2"));
    }

    @Test
    void partsThatFindNoProcessShareTheLast() {
        most = 1;
        begin(site().withStage("base", "etc_hosts", List.of(), "head", "node-1", "node-2"));

        assertThat(taken(2)).containsExactly(List.of("base head"), List.of("base node-1,node-2"));
    }

    private SmallSite site() {
        return new SmallSite(folder);
    }

    /** A node joins its controller. */
    private SmallSite cluster() {
        return site().withStage("base", "etc_hosts", List.of(), "head", "node-1", "node-2")
                .withStage("control", "motd", List.of("base"), "head")
                .withStage("join", "munge", List.of("base", "control"), "node-1", "node-2");
    }

    private void begin(SmallSite site) {
        plan = site.plan();
        graph = new StepGraph(plan.steps(), new Waits(plan, plan.steps()));
        queue = new PlayQueue(plan, graph, most);
        plan.steps().stream().filter(step -> !(step instanceof Step.OfResource)).forEach(queue::add);
        queue.begin();
        plan.steps().stream()
                .filter(Step.OfResource.class::isInstance)
                .map(graph::ended)
                .forEach(ready -> inHosts(ready.stream()).forEach(queue::ready));
    }

    private void end(String... ids) {
        for (var id : ids) {
            plan.steps().stream()
                    .filter(step -> step.id().equals(id))
                    .map(graph::ended)
                    .forEach(ready -> inHosts(ready.stream()).forEach(queue::ready));
        }
    }

    private static Stream<Step> inHosts(Stream<Step> steps) {
        return steps.filter(step -> !(step instanceof Step.OfResource));
    }

    private List<List<String>> taken(int processes) {
        return names(queue.take(processes, false));
    }

    private static List<List<String>> names(List<List<StepsOfPlay>> processes) {
        return processes.stream()
                .map(plays -> plays.stream()
                        .map(play -> play.name() + " "
                                + String.join(
                                        ",",
                                        play.steps().stream()
                                                .map(Configuration::host)
                                                .toList()))
                        .toList())
                .toList();
    }
}
