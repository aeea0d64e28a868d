package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GraphSchedulerTest {
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

    @Test
    void runsAGroupAfterAllThatItNeeds() {
        run(group("c", "a", "b"), group("b", "a"), group("a"));

        assertThat(ran).containsExactly("a", "b", "c");
    }

    @Test
    void aNeedThatNoGroupHoldsCountsAsEnded() {
        run(group("a", "elsewhere"));

        assertThat(ran).containsExactly("a");
    }

    @Test
    void runsNoMoreAtATimeThanTheLimit() {
        var now = new AtomicInteger();
        var most = new AtomicInteger();

        GraphScheduler.run(List.of(group("a"), group("b"), group("c"), group("d")), 2, _ -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.yield();
            now.decrementAndGet();
        });

        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void throwsWhatAGroupThrewOnceTheOthersHaveEnded() {
        var failure = new Failure(Diagnostic.error(Code.LOCK_LOST, "Somebody took it.", ""));

        assertThatThrownBy(() -> GraphScheduler.run(List.of(group("a"), group("b", "a")), 2, group -> {
                    ran.add(group.name());
                    if (group.name().equals("a")) {
                        throw failure;
                    }
                }))
                .isSameAs(failure);
        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void refusesGroupsThatNeedEachOther() {
        assertThatThrownBy(() -> run(group("a", "b"), group("b", "a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("need each other");
        assertThat(ran).isEmpty();
    }

    @SafeVarargs
    private void run(GraphScheduler.Group<String>... groups) {
        GraphScheduler.run(List.of(groups), 2, group -> ran.add(group.name()));
    }

    private static GraphScheduler.Group<String> group(String name, String... needs) {
        return new GraphScheduler.Group<>(name, List.of(name), Set.of(name), Set.of(needs));
    }
}
