package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.ObservedResource.Condition;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StalenessCheckTest {
    @TempDir
    private Path folder;

    /** Changed ids, after a killed run whose network the back-end had not finished when the plan was made. */
    private List<String> changedBy(Consumer<FakeProvider.Cloud> change) {
        try (var lab = new SiteOnFake(folder)) {
            var cloud = lab.provider.cloud();
            var state = lab.store.write(lab.fresh());
            lab.make(state.lineage());
            cloud.setCondition(FakeProvider.KIND_NETWORK, "lab-net", Condition.HALF_MADE);
            var plan = new PlanOperation(lab.context).plan();

            change.accept(cloud);

            return StalenessCheck.resources(plan, lab.context.surveyAnywhere().owned());
        }
    }

    @Test
    void resourceThatTheBackEndHasFinishedSinceThePlanIsNotStale() {
        assertThat(changedBy(cloud -> cloud.setCondition(FakeProvider.KIND_NETWORK, "lab-net", Condition.READY)))
                .isEmpty();
    }

    @Test
    void resourceThatTheBackEndHasTakenBackSinceThePlanIsNotStale() {
        assertThat(changedBy(cloud -> cloud.remove(FakeProvider.KIND_NETWORK, "lab-net")))
                .isEmpty();
    }

    @Test
    void finishedResourceThatWasStoppedSinceThePlanIsStale() {
        assertThat(changedBy(cloud -> cloud.setCondition("instance", "lab-one", Condition.STOPPED)))
                .containsExactly("instance/one");
    }
}
