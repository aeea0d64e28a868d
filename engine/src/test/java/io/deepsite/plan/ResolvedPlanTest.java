package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.contract.Item;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A plan after its machines exist. */
class ResolvedPlanTest {
    private static final Item.Unknown NODE_CPUS = OpenItems.OF_ANOTHER;

    @Test
    void factsOfNewMachinesAreFilledInAndTheRestStays() {
        var plan = plan(NODE_CPUS);

        var resolved = ResolvedPlan.of(plan, UnknownResolver.NOTHING.knowing(Map.of("node-9/cpus", "8")));

        assertThat(resolved.unknowns()).isEmpty();
        assertThat(resolved.steps()).extracting(Step::id).isEqualTo(ids(plan));
        assertThat(resolved.steps().getFirst()).isEqualTo(plan.steps().getFirst());
        var role = (Step.OfRole) resolved.steps().getLast();
        assertThat(role.contract().items())
                .anySatisfy(item -> assertThat(item.toString()).contains("10.0.0.8:/srv"));
        assertThat(role.fingerprint()).isNotEqualTo(((Step.OfRole) plan.steps().getLast()).fingerprint());
    }

    @Test
    void aFactThatNoMachineReportedIsRefusedWithWhatNeedsIt() {
        var faults = faults(plan(NODE_CPUS));

        assertThat(faults).extracting(Diagnostic::code).containsExactly(Code.FACT_MISSING);
        assertThat(faults.getFirst().why())
                .isEqualTo("The cpus of node-9 is unknown, but needed by ini:/etc/x.conf:pool:size on head,"
                        + " line:/etc/hosts:motd on head, mount:/srv on head. What needs it was not configured.");
    }

    @Test
    void aFactThatAnActionNeedsIsRefusedToo() {
        var sample = new SamplePlan();
        sample.contract = SamplePlan.greeting(NODE_CPUS);

        assertThat(faults(sample.plan()).getFirst().why())
                .isEqualTo(
                        "The cpus of node-9 is unknown, but needed by action:greet on head. What needs it was not configured.");
    }

    @Test
    void manyHostsThatNeedAFactAreCounted() {
        var sample = new SamplePlan();
        sample.contract = OpenItems.contract(NODE_CPUS);
        var plan = sample.plan();
        var role = (Step.OfRole) plan.steps().getLast();
        var second = new Step.OfRole(
                new Step.Head("motd@node-2", List.of(), role.change(), role.reason()),
                role.stage(),
                "node-2",
                false,
                role.contract(),
                role.fingerprint(),
                new Step.Differences(role.items(), role.actions(), Optional.empty()),
                Optional.empty());

        var both = plan.withSteps(List.of(plan.steps().getFirst(), role, second));

        assertThat(faults(both).getFirst().why()).contains("mount:/srv on 2 hosts");
    }

    private static List<Diagnostic> faults(Plan plan) {
        return catchThrowableOfType(Failure.class, () -> ResolvedPlan.of(plan, UnknownResolver.NOTHING))
                .diagnostics();
    }

    private static Plan plan(Item.Unknown unknown) {
        var sample = new SamplePlan();
        sample.contract = OpenItems.contract(unknown);
        return sample.plan();
    }

    private static List<String> ids(Plan plan) {
        return plan.steps().stream().map(Step::id).toList();
    }
}
