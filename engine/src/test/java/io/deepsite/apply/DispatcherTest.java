package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.ansible.ControlNodes;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Change;
import io.deepsite.plan.FieldChange;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DispatcherTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Plan plan;

    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private Consumer<Step> during = _ -> {};

    @BeforeEach
    void plan() {
        plan = new SmallSite(folder)
                .withStage("base", "etc_hosts", List.of(), "head", "node-1")
                .withStage("upper", "motd", List.of("base"), "head")
                .plan();
    }

    @Test
    void aStepBeginsAfterAllThatItNeeds() {
        run(call("c", "a", "b"), call("b", "a"), call("a"));

        assertThat(ran).containsExactly("a", "b", "c");
    }

    @Test
    void aNeedOfNoStepOfThisRunCountsAsEnded() {
        run(call("a", "elsewhere"));

        assertThat(ran).containsExactly("a");
    }

    @Test
    void noMoreCallsRunAtATimeThanTheLimit() {
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        during = _ -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.yield();
            now.decrementAndGet();
        };

        run(IntStream.range(0, 40).mapToObj(number -> call("call-" + number)).toArray(Step[]::new));

        assertThat(ran).hasSize(40);
        assertThat(most.get()).isBetween(1, 8);
    }

    @Test
    void throwsWhatAStepThrewOnceTheOthersHaveEnded() {
        var failure = new Failure(Diagnostic.error(Code.LOCK_LOST, "Somebody took it.", ""));
        during = step -> {
            if (step.id().equals("a")) {
                throw failure;
            }
        };

        assertThatThrownBy(() -> run(call("a"), call("b", "a"))).isSameAs(failure);
        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void refusesStepsThatNeedEachOther() {
        assertThatThrownBy(() -> run(call("a", "b"), call("b", "a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("need each other");
        assertThat(ran).isEmpty();
    }

    @Test
    void aHostIsConfiguredWhileAnotherIsBeingMade() {
        var configured = new CountDownLatch(1);
        during = step -> {
            switch (step.id()) {
                case "resource:instance/node-1" -> await(configured);
                case "upper@head" -> configured.countDown();
                default -> {}
            }
        };

        run(plan.steps().toArray(Step[]::new));

        assertThat(ran).containsSubsequence("base@head", "upper@head", "base@node-1");
    }

    @Test
    void aRefusedStepHoldsBackNothing() {
        refused.add("base@head");

        run(plan.steps().toArray(Step[]::new));

        assertThat(ran).contains("base@node-1", "upper@head").doesNotContain("base@head");
    }

    @Test
    void stepsThatWereNotBegunRunInAnotherProcess() {
        var tries = new AtomicInteger();

        dispatch(plan.steps(), new Work() {
            @Override
            public List<Step> play(int number, List<StepsOfPlay> plays, Consumer<Step> ended) {
                var first = plays.getFirst().steps();
                first.forEach(step -> {
                    ran.add(step.id());
                    ended.accept(step);
                });
                tries.incrementAndGet();
                return plays.stream()
                        .skip(1)
                        .flatMap(play -> play.steps().stream())
                        .toList();
            }
        });

        assertThat(ran).containsSubsequence("base@head", "upper@head").contains("base@node-1");
        assertThat(tries.get()).isGreaterThanOrEqualTo(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Step... steps) {
        dispatch(List.of(steps), new Work());
    }

    private void dispatch(List<Step> steps, Work work) {
        new Dispatcher(plan, steps, new Waits(plan, steps), ControlNodes.THIS, work).run();
    }

    private class Work implements Dispatcher.Work {
        @Override
        public boolean refuses(Step step) {
            return refused.contains(step.id());
        }

        @Override
        public void call(Step.OfResource step) {
            ran.add(step.id());
            during.accept(step);
        }

        @Override
        public List<Step> play(int number, List<StepsOfPlay> plays, Consumer<Step> ended) {
            plays.stream().flatMap(play -> play.steps().stream()).forEach(step -> {
                ran.add(step.id());
                during.accept(step);
                ended.accept(step);
            });
            return List.of();
        }
    }

    private static Step call(String id, String... needs) {
        var resource = new Resource(new ResourceId("network", id), id, new TreeMap<>(Map.of()), List.of());
        return new Step.OfResource(
                id, List.of(needs), Change.CREATE, "", Optional.of(resource), Optional.empty(), List.<FieldChange>of());
    }
}
