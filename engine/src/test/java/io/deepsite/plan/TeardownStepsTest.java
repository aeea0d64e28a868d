package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Seen;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.render.ContractJson;
import io.deepsite.state.RecordedRole;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TeardownStepsTest {
    private final SamplePlan sample = new SamplePlan();

    @Test
    void anActionThatTheRoleLostIsUndoneBeforeTheRoleIsApplied() {
        sample.applied();
        sample.contract = new Contract("motd", "head", sample.contract.items(), List.of());

        var plan = sample.plan();
        var undo = leave(plan);

        assertThat(undo.id()).isEqualTo("undo.motd@head");
        assertThat(undo.extent()).isEqualTo(Step.Leave.Extent.ACTIONS);
        assertThat(undo.actions())
                .containsExactly(new ActionChange("greet", Change.DELETE, "greets", Action.Impact.DRAIN));
        assertThat(undo.items()).isEmpty();
        assertThat(undo.consents()).containsExactly(Consent.DRAIN);
        assertThat(SamplePlan.role(plan).needs()).contains(undo.id());
    }

    @Test
    void anActionThatWasUndoneAlreadyIsNotUndoneAgain() {
        sample.applied();
        sample.contract = new Contract("motd", "head", sample.contract.items(), List.of());
        var head = sample.state.hosts().get("head");
        sample.state = sample.state.withHost(
                "head", head.withRole("motd", head.roles().get("motd").withoutActions(List.of("greet"))));

        assertThat(sample.plan().steps()).noneMatch(Step.Leave.class::isInstance);
    }

    @Test
    void saysWhyAnActionThatTheRoleLostStays() {
        sample.contract = new Contract("motd", "head", sample.contract.items(), List.of(withoutUndo()));
        sample.applied();
        sample.contract = new Contract("motd", "head", sample.contract.items(), List.of());

        var plan = sample.plan();

        assertThat(plan.steps()).noneMatch(Step.Leave.class::isInstance);
        assertThat(SamplePlan.role(plan).actions())
                .containsExactly(
                        new ActionChange("greet", Change.NONE, "stays: what was said was said", Action.Impact.NOTHING));
        assertThat(plan.consents()).isEmpty();
    }

    @Test
    void saysWhichVersionCanUndoWhatThisOneCannot() {
        sample.applied().tasks = Set.of();
        sample.contract = new Contract("motd", "head", sample.contract.items(), List.of());

        assertThat(SamplePlan.role(sample.plan()).actions().getFirst().does())
                .startsWith("stays: this deepsite has no tasks that undo it; version 1.0");
    }

    @Test
    void aRemovedRoleListsWhatStays() {
        sample.contract = new Contract("motd", "head", sample.contract.items(), List.of(withoutUndo()));
        sample.applied().stages = List.of();

        assertThat(leave(sample.plan()).actions())
                .extracting(ActionChange::change)
                .containsExactly(Change.NONE);
    }

    @Test
    void whatAnotherRoleHoldsStaysWithIt() {
        sample.applied();
        var shared = new Contract("other", "head", sample.contract.items().subList(0, 1), List.of());
        sample.state = sample.state.withHost(
                "head",
                sample.state
                        .hosts()
                        .get("head")
                        .withRole(
                                "other",
                                new RecordedRole("other", List.of(), "f", ContractJson.tree(shared), List.of())));

        var leave = leave(sample.plan());

        assertThat(leave.role()).isEqualTo("other");
        assertThat(leave.items()).isEmpty();
        assertThat(leave.touched().items()).isEmpty();
    }

    @Test
    void aReplacedMachineIsDrainedFirst() {
        sample.applied().resources.set(0, SamplePlan.machine("debian-2", "1"));

        var plan = sample.plan();
        var drain = leave(plan);
        var machine = plan.steps().getFirst();

        assertThat(drain.extent()).isEqualTo(Step.Leave.Extent.MACHINE);
        assertThat(drain.reason()).isEqualTo("the machine is replaced");
        assertThat(drain.actions()).extracting(ActionChange::id).containsExactly("greet");
        assertThat(machine.change()).isEqualTo(Change.REPLACE);
        assertThat(machine.needs()).containsExactly(drain.id());
        assertThat(SamplePlan.role(plan).needs()).contains(machine.id());
        assertThat(SamplePlan.role(plan).change()).isEqualTo(Change.CREATE);
    }

    @Test
    void aStoppedMachineIsNotDrained() {
        sample.applied().resources.set(0, SamplePlan.machine("debian-2", "1"));
        sample.observed.clear();

        assertThat(sample.plan().steps()).noneMatch(Step.Leave.class::isInstance);
    }

    @Test
    void aRoleThatGoesCarriesWhatWasSeenOfIt() {
        sample.applied().stages = List.of();
        var before = leave(sample.plan()).precondition();
        var items = new TreeMap<>(sample.observed.get("head").items());
        items.put("file:/etc/motd", Seen.of(Map.of("exists", true, "type", "file", "sha256", Digests.sha256("x"))));
        sample.observed.put("head", SamplePlan.answer(items, new TreeMap<>()));

        assertThat(before).isPresent();
        assertThat(leave(sample.plan()).precondition()).isPresent().isNotEqualTo(before);
    }

    @Test
    void beforeAMachineIsDeletedOnlyItsActionsCount() {
        sample.applied().resources.set(0, SamplePlan.machine("debian-2", "1"));
        var before = leave(sample.plan()).precondition();
        var seen = sample.observed.get("head");
        sample.observed.put("head", SamplePlan.answer(new TreeMap<>(), new TreeMap<>()));
        var edited = leave(sample.plan()).precondition();
        sample.observed.put("head", new ProbeAnswer(seen.facts(), seen.items(), new TreeSet<>(), seen.texts()));

        assertThat(edited).isEqualTo(before);
        assertThat(leave(sample.plan()).precondition()).isNotEqualTo(before);
    }

    private static Action withoutUndo() {
        return new Action(
                "greet",
                "greets",
                List.of("test", "-e", "/greeted"),
                "greet.yml",
                Optional.empty(),
                Optional.of("what was said was said"),
                Action.Impact.NOTHING,
                new TreeMap<>(),
                "d",
                false);
    }

    private static Step.Leave leave(Plan plan) {
        return plan.steps().stream()
                .filter(Step.Leave.class::isInstance)
                .map(Step.Leave.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
