package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.ObservedResource.Condition;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StalenessCheckTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private SiteOnFake lab;

    @BeforeEach
    void open() {
        lab = new SiteOnFake(folder);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private void network(Condition condition) {
        lab.provider.cloud().setCondition(FakeProvider.KIND_NETWORK, "lab-net", condition);
    }

    /** Changed ids, after a killed run whose network the back-end had not finished when the plan was made. */
    private List<String> changedBy(Runnable change) {
        var state = lab.store.write(lab.fresh());
        lab.make(state.lineage());
        network(Condition.HALF_MADE);
        var plan = new PlanOperation(lab.context).plan();

        change.run();

        return StalenessCheck.resources(plan, lab.context.surveyAnywhere().owned());
    }

    @Test
    void resourceThatTheBackEndHasFinishedSinceThePlanIsNotStale() {
        assertThat(changedBy(() -> network(Condition.READY))).isEmpty();
    }

    @Test
    void resourceThatTheBackEndHasTakenBackSinceThePlanIsNotStale() {
        assertThat(changedBy(() -> lab.provider.cloud().remove(FakeProvider.KIND_NETWORK, "lab-net")))
                .isEmpty();
    }

    @Test
    void finishedResourceThatWasStoppedSinceThePlanIsStale() {
        assertThat(changedBy(() -> lab.provider.cloud().setCondition("instance", "lab-one", Condition.STOPPED)))
                .containsExactly("instance/one");
    }
}
