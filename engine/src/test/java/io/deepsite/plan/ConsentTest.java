package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.contract.Seen;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a step needs consent for. */
class ConsentTest {
    private final SamplePlan sample = new SamplePlan();

    @Test
    void aRunningMachineIsRestartedOnlyWithConsent() {
        assertThat(changed(Condition.READY, "limits.cpu", "nesting").consents()).containsExactly(Consent.REBOOT);
        assertThat(changed(Condition.READY, "limits.cpu").consents()).isEmpty();
    }

    @Test
    void aStoppedMachineIsStartedWithWhatWouldRestartARunningOne() {
        assertThat(changed(Condition.STOPPED, "nesting").consents()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"instance, WIPE", "volume, WIPE", "network,", "pool,"})
    void whatHoldsDataIsDeletedOnlyWithConsent(String kind, Consent needed) {
        sample.resources.clear();
        sample.stages = List.of();
        sample.owned.add(seen(new ResourceId(kind, "x")));

        assertThat(sample.plan().steps()).extracting(Step::change).containsExactly(Change.DELETE);
        assertThat(sample.plan().consents())
                .isEqualTo(needed == null ? new TreeSet<>() : new TreeSet<>(List.of(needed)));
    }

    @ParameterizedTest
    @CsvSource({"instance, REPLACE", "volume, WIPE"})
    void aReplacedVolumeLosesItsDataAsADeletedOneDoes(String kind, Consent needed) {
        var id = new ResourceId(kind, "x");
        sample.stages = List.of();
        sample.resources.clear();
        sample.resources.add(new Resource(
                id,
                "x",
                new TreeMap<>(Map.of("size", new Resource.Attribute("2", Resource.Mutability.REPLACE))),
                List.of()));
        sample.owned.add(seen(id));

        assertThat(sample.plan().steps()).extracting(Step::change).containsExactly(Change.REPLACE);
        assertThat(sample.plan().consents()).containsExactly(needed);
    }

    @ParameterizedTest
    @CsvSource({"NOTHING,", "RESTART,", "DRAIN,", "WIPE, WIPE", "REBOOT, REBOOT"})
    void anActionThatRunsNeedsConsentByItsImpactAndOnlyItsUndoDrains(Action.Impact impact, Consent needed) {
        notDone(action("other", impact, Optional.of("undo.yml")));

        assertThat(SamplePlan.role(sample.plan()).consents())
                .isEqualTo(needed == null ? new TreeSet<>() : new TreeSet<>(List.of(needed)));
    }

    @Test
    void anActionWithoutAnUndoDrainsWhenItRuns() {
        notDone(action("other", Action.Impact.DRAIN));

        assertThat(SamplePlan.role(sample.plan()).consents()).containsExactly(Consent.DRAIN);
    }

    @Test
    void anActionThatIsDoneAlreadyNeedsNone() {
        var actions = new ArrayList<>(sample.contract.actions());
        actions.add(action("done-before", Action.Impact.WIPE));
        actions.add(action("restarts", Action.Impact.REBOOT));
        sample.applied().contract = new Contract("motd", "head", sample.contract.items(), actions);
        sample.observed.put("head", SamplePlan.done(sample.holds(sample.contract), "greet", "done-before"));

        assertThat(SamplePlan.role(sample.plan()).consents()).containsExactly(Consent.REBOOT);
    }

    @Test
    void onANewMachineNothingCanBeLost() {
        sample.contract = new Contract("motd", "head", List.of(), List.of(action("wipes", Action.Impact.WIPE)));

        assertThat(SamplePlan.role(sample.plan()).actions()).hasSize(1);
        assertThat(sample.plan().consents()).isEmpty();
    }

    /** Removing it is what the contract wants, and removes nothing that a role installed. */
    @Test
    void aPackageThatARoleWantsAbsentIsRemovedWithoutConsent() {
        sample.applied();
        sample.contract = new Contract(
                "motd",
                "head",
                List.of(new Item.DebianPackage("telnetd", false, false, Item.Phase.BEFORE, Item.Notify.NONE)),
                sample.contract.actions());
        sample.observed.put(
                "head",
                SamplePlan.answer(
                        new TreeMap<>(Map.of("package:telnetd", Seen.of(Map.of("installed", true)))), new TreeMap<>()));

        assertThat(SamplePlan.role(sample.plan()).items()).anySatisfy(item -> {
            assertThat(item.id()).isEqualTo("package:telnetd");
            assertThat(item.change()).isEqualTo(Change.DELETE);
        });
        assertThat(SamplePlan.role(sample.plan()).consents()).isEmpty();
    }

    @Test
    void theRefusalQuotesWhatTheActionDoesAndOnWhichHosts() {
        notDone(action("format", Action.Impact.WIPE));

        var fault = refusal(Consent.WIPE, Consent.REMOVE_PACKAGES);

        assertThat(fault.code()).isEqualTo(Code.CONSENT_NEEDED);
        assertThat(fault.why())
                .isEqualTo("The plan deletes machines or volumes with their data, or accounts without their files, and"
                        + " removes packages that a role installed. On head it does format."
                        + " --yes does not cover that. Nothing was touched.");
        assertThat(fault.commands()).containsExactly("deepsite apply --allow wipe,remove-packages");
    }

    @Test
    void theRefusalQuotesNoActionThatItIsNotAbout() {
        notDone(action("format", Action.Impact.WIPE));

        assertThat(refusal(Consent.REPLACE).why())
                .isEqualTo("The plan replaces machines; what is on their own disks is lost."
                        + " --yes does not cover that. Nothing was touched.");
    }

    @Test
    void theRefusalQuotesNoActionOnANewMachine() {
        sample.contract = new Contract("motd", "head", List.of(), List.of(action("format", Action.Impact.WIPE)));

        assertThat(refusal(Consent.WIPE).why()).doesNotContain("does format");
    }

    private Diagnostic refusal(Consent... missing) {
        return Consent.refusal(sample.plan(), new TreeSet<>(List.of(missing)), "deepsite apply")
                .diagnostics()
                .getFirst();
    }

    /** The role gets this action, which the probe does not report as done. */
    private void notDone(Action action) {
        sample.applied();
        var actions = new ArrayList<>(sample.contract.actions());
        actions.add(action);
        sample.contract = new Contract("motd", "head", sample.contract.items(), actions);
    }

    /** The step of the machine, which differs in these attributes. */
    private Step.OfResource changed(Condition condition, String... attributes) {
        var machine = SamplePlan.machine("debian-1", "1");
        sample.resources.set(0, machine);
        var values = new TreeMap<>(machine.values());
        for (var attribute : attributes) {
            values.put(attribute, "other");
        }
        sample.owned.clear();
        sample.owned.add(
                new ObservedResource(machine.id(), machine.name(), values, tags(), "etag-1", condition, List.of()));
        return (Step.OfResource) sample.plan().steps().getFirst();
    }

    private ObservedResource seen(ResourceId id) {
        return new ObservedResource(
                id, id.key(), new TreeMap<>(Map.of("size", "1")), tags(), "etag-1", Condition.READY, List.of());
    }

    private Tags tags() {
        return new Tags(new Name("lab"), sample.state.lineage(), Optional.empty());
    }

    private static Action action(String id, Action.Impact impact) {
        return action(id, impact, Optional.empty());
    }

    private static Action action(String id, Action.Impact impact, Optional<String> undo) {
        return new Action(
                id,
                "does " + id,
                List.of("true"),
                "run.yml",
                undo,
                undo.isPresent() ? Optional.empty() : Optional.of("no undo"),
                impact,
                new TreeMap<>(),
                "d",
                false);
    }
}
