package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.provider.ResourceId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a plan says of itself as a whole. */
class PlanTest {
    private final SamplePlan sample = new SamplePlan();

    /** The steps of a new machine skip what protects data, so a plan must not claim that for another machine. */
    @Test
    void aStepForANewMachineIsRefusedWithoutTheStepThatCreatesIt() {
        var plan = sample.plan();
        var withoutMachine = plan.steps().subList(1, 2);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan.withSteps(withoutMachine))
                .withMessage("head is not made by this plan");
    }

    @Test
    void aStepForANewMachineIsRefusedBesideAStepThatOnlyChangesIt() {
        var role = sample.plan().steps().getLast();
        sample.applied().resources.set(0, SamplePlan.machine("debian-1", "4"));
        var plan = sample.plan();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan.withSteps(List.of(plan.steps().getFirst(), role)))
                .withMessage("head is not made by this plan");
    }

    @Test
    void aRecordedResourceThatIsMissingIsGoneAndAChangedOneIsNot() {
        sample.applied().resources.clear();
        sample.stages = List.of();
        var seen = sample.owned.removeFirst();

        assertThat(sample.plan().gone()).containsExactly(new ResourceId("instance", "head"));

        sample.resources.add(SamplePlan.machine("debian-1", "4"));
        sample.owned.add(seen);
        sample.owned.set(0, sample.seen(sample.resources.getFirst(), seen.condition()));

        assertThat(sample.plan().drift()).isNotEmpty();
        assertThat(sample.plan().gone()).isEmpty();
    }

    /** A file that vanished on a host has the same field as a resource that vanished. */
    @Test
    void anItemThatIsMissingOnAHostIsNoResourceThatIsGone() {
        sample.applied().observed.put("head", SamplePlan.answer(new TreeMap<>(), new TreeMap<>()));

        assertThat(sample.plan().drift()).isNotEmpty();
        assertThat(sample.plan().gone()).isEmpty();
    }

    @Test
    void aSecretIsCarriedByTheStepsThatChangeAFileWithIt() {
        sample.contract = keyAnd(SamplePlan.TEXT);

        assertThat(sample.plan().bearers("small_key")).extracting(Step::id).containsExactly("motd@head");
        assertThat(sample.plan().bearers("other_key")).isEmpty();
    }

    @Test
    void aSecretIsNotCarriedByAStepThatChangesOnlyOtherFiles() {
        sample.contract = keyAnd(SamplePlan.TEXT);
        sample.secrets.put("small_key", "s3cr3t");
        sample.applied();
        sample.contract = keyAnd("other\n");
        sample.contents.put(Digests.sha256("other\n"), "other\n");

        var plan = sample.plan();

        assertThat(plan.steps()).hasSize(1);
        assertThat(plan.bearers("small_key")).isEmpty();
    }

    @Test
    void unknownFactsOfActionsAreListedToo() {
        sample.contract = SamplePlan.greeting(OpenItems.OF_ANOTHER);

        assertThat(sample.plan().unknowns()).containsExactly(OpenItems.OF_ANOTHER);
    }

    @Test
    void countsTheStepsOfEachChange() {
        sample.applied().resources.set(0, SamplePlan.machine("debian-2", "1"));

        var counts = new ArrayList<Integer>();
        for (var change : Change.values()) {
            counts.add(sample.plan().count(change));
        }

        assertThat(counts).as("create, update, replace, delete, release, none").containsExactly(1, 0, 1, 1, 0, 0);
    }

    /** A file with a secret, and one with this text. */
    private static Contract keyAnd(String text) {
        return new Contract(
                "motd",
                "head",
                List.of(SamplePlan.file("/etc/key", SamplePlan.SECRET_TEXT), SamplePlan.file("/etc/motd", text)),
                List.of());
    }
}
