package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.plan.Change;
import io.deepsite.plan.Planner;
import io.deepsite.plan.Step;
import io.deepsite.provider.FakeProvider;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A destroyed site leaves its name free, whatever of it stays. */
class SharedResourcesAreReleasedTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @Test
    void whatOthersUseStaysAndIsTheSitesNoMore() {
        try (var lab = new SiteOnFake(folder)) {
            var state = lab.store.write(lab.fresh());
            lab.make(state.lineage());
            lab.recordAll(state);
            lab.provider.cloud().use(FakeProvider.KIND_NETWORK, "lab-net", "instance other");

            var plan = new PlanOperation(lab.context).destroyPlan(Set.of());
            new ApplyOperation(
                            lab.context,
                            plan,
                            new ApplyOptions(plan.consents(), Optional.empty(), Optional.empty()),
                            _ -> {},
                            new Cancel())
                    .run();

            assertThat(plan.steps())
                    .extracting(Step::change)
                    .containsExactly(Change.DELETE, Change.DELETE, Change.RELEASE);
            assertThat(plan.steps().getLast().needs())
                    .containsExactly("resource:instance/one", "resource:instance/two");
            assertThat(lab.provider.changes()).last().isEqualTo("release network/net");
            assertThat(lab.provider.cloud().names()).containsExactly("network/lab-net");
            assertThat(lab.context.state().isEmpty()).isTrue();
            // Of any other clone: nothing there is of another lineage.
            Planner.refuseForeignLineage(
                    lab.context.site().name(), lab.context.surveyAnywhere().owned(), lab.fresh());
        }
    }
}
