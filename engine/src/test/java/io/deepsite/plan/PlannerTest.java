package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.contract.Seen;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import io.deepsite.render.ContractJson;
import io.deepsite.render.Fingerprint;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import io.deepsite.state.RecordedLease;
import io.deepsite.state.RecordedRole;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PlannerTest {
    private final SamplePlan sample = new SamplePlan();

    @Test
    void createsTheMachineThenItsRoleWhenNothingIsThere() {
        var plan = sample.plan();

        assertThat(plan.steps()).extracting(Step::id).containsExactly("resource:instance/head", "motd@head");
        assertThat(plan.steps()).extracting(Step::change).containsOnly(Change.CREATE);
        assertThat(plan.steps().getLast().needs()).containsExactly("resource:instance/head");
        assertThat(plan.consents()).isEmpty();
        assertThat(SamplePlan.role(plan).items().getFirst().diff()).isEmpty();
        assertThat(SamplePlan.role(plan).items().getLast().diff())
                .hasValueSatisfying(diff -> assertThat(diff).contains("+welcome"));
    }

    @Test
    void isEmptyWhenEverythingHolds() {
        var plan = sample.applied().plan();

        assertThat(plan.steps()).isEmpty();
        assertThat(plan.drift()).isEmpty();
        assertThat(plan.unchanged()).containsExactly("head");
    }

    @Test
    void aProofCountsInTheFingerprintAsItsRecordIsPrinted() {
        var proof = new Plan.Proof("hpc", "slurm", "head", "sha256", 120, 86_400);

        assertThat(Planner.text(proof)).isEqualTo(proof.toString());
    }

    @Test
    void isTheSameBytesForTheSameInput() {
        sample.applied().observed.clear();
        sample.owned.clear();

        assertThat(PlanJson.write(sample.plan())).isEqualTo(PlanJson.write(sample.plan()));
    }

    @Test
    void changesInPlaceWhatCanChangeInPlace() {
        sample.applied().resources.set(0, SamplePlan.machine("debian-1", "4"));

        var step = (Step.OfResource) sample.plan().steps().getFirst();

        assertThat(step.change()).isEqualTo(Change.UPDATE);
        assertThat(step.fields()).containsExactly(new FieldChange("limits.cpu", Optional.of("1"), Optional.of("4")));
        assertThat(step.consents()).isEmpty();
    }

    @Test
    void saysWhyARoleRuns() {
        assertThat(SamplePlan.role(sample.plan()).reason()).isEqualTo("new machine");
        sample.applied();
        sample.contract = SamplePlan.contract("another text\n");
        assertThat(SamplePlan.role(sample.plan()).reason()).isEqualTo("changed in site.yaml or in the role");
    }

    @Test
    void replacesMachineWhenImageChangesAndAsksForConsent() {
        sample.applied().resources.set(0, SamplePlan.machine("debian-2", "1"));

        var plan = sample.plan();

        assertThat(plan.steps()).extracting(Step::change).containsExactly(Change.REPLACE, Change.DELETE, Change.CREATE);
        assertThat(plan.consents()).containsExactly(Consent.REPLACE, Consent.DRAIN);
    }

    @Test
    void bakedImageConcernsOnlyMachinesThatAreMade() {
        var machine = sample.resources.getFirst();
        sample.resources.set(0, machine.fromBaked("deepsite-1"));
        var fresh = (Step.OfResource) sample.plan().steps().getFirst();
        sample.resources.set(0, machine);
        var before = sample.applied().plan();
        sample.resources.set(0, machine.fromBaked("deepsite-1"));
        var after = sample.plan();

        assertThat(fresh.fields())
                .contains(new FieldChange(Resource.BAKED_IMAGE, Optional.empty(), Optional.of("deepsite-1")));
        assertThat(after.isEmpty()).isTrue();
        assertThat(after.drift()).isEmpty();
        assertThat(after.fingerprint()).isEqualTo(before.fingerprint());
    }

    @Test
    void aReplacedMachineStartsFromTheBakedImage() {
        sample.applied().resources.set(0, SamplePlan.machine("debian-2", "1").fromBaked("deepsite-2"));

        var step = (Step.OfResource) sample.plan().steps().getFirst();

        assertThat(step.change()).isEqualTo(Change.REPLACE);
        assertThat(step.fields()).extracting(FieldChange::field).containsExactly(Resource.BAKED_IMAGE, "image");
    }

    @Test
    void finishesWhatWasHalfMade() {
        sample.owned.add(sample.seen(sample.resources.getFirst(), ObservedResource.Condition.HALF_MADE));

        assertThat(sample.plan().steps().getFirst().reason()).isEqualTo("creation was interrupted; completing");
    }

    @Test
    void replacesACompletedResourceOnlyWithConsent() {
        sample.applied().owned.set(0, sample.seen(sample.resources.getFirst(), ObservedResource.Condition.HALF_MADE));
        sample.observed.clear();

        var plan = sample.plan();

        assertThat(plan.steps().getFirst().reason())
                .isEqualTo("incomplete on the back-end, but recorded as complete; replacing");
        assertThat(plan.consents()).containsExactly(Consent.REPLACE);
    }

    @Test
    void startsAStoppedMachineAndProbesItAfterwards() {
        sample.applied().owned.set(0, sample.seen(sample.resources.getFirst(), ObservedResource.Condition.STOPPED));
        sample.observed.clear();

        var plan = sample.plan();

        assertThat(plan.steps()).extracting(Step::id).containsExactly("resource:instance/head", "motd@head");
        assertThat(plan.consents()).isEmpty();
        assertThat(plan.drift()).extracting(Plan.Drift::item).containsExactly("instance/head");
    }

    @Test
    void anUnreachableHostIsReportedAndHasNoStepIfItsRolesAreUnchanged() {
        sample.applied().observed.clear();
        sample.silent.put("head", List.of(Diagnostic.error(Code.HOST_SILENT, "It is dead.", "")));

        var plan = sample.plan();

        assertThat(plan.steps()).isEmpty();
        assertThat(plan.silent()).containsOnlyKeys("head");
        assertThat(plan.unchanged()).isEmpty();
        assertThat(plan.isEmpty()).isFalse();
    }

    @Test
    void whatAHostThatDoesNotAnswerShallHoldStaysInThePlan() {
        sample.applied().observed.clear();
        sample.contract = SamplePlan.contract("other\n");
        sample.contents.put(Digests.sha256("other\n"), "other\n");
        sample.silent.put("head", List.of(Diagnostic.error(Code.HOST_SILENT, "It is dead.", "")));

        assertThat(SamplePlan.role(sample.plan()).reason()).startsWith("it does not answer");
    }

    @Test
    void aStepThatMakesTheMachineAnswerTakesTheSilenceAway() {
        sample.applied().resources.set(0, SamplePlan.machine("debian-2", "1"));
        sample.observed.clear();
        sample.silent.put("head", List.of(Diagnostic.error(Code.HOST_SILENT, "It is dead.", "")));

        var plan = sample.plan();

        assertThat(plan.silent()).isEmpty();
        assertThat(plan.steps()).extracting(Step::change).containsExactly(Change.REPLACE, Change.CREATE);
    }

    @Test
    void showsAHandEditedFileAsDriftAndMendsItAlone() {
        sample.applied();
        edited("edited by hand\n");

        var plan = sample.plan();

        assertThat(plan.drift()).extracting(Plan.Drift::item).containsExactly("file:/etc/motd");
        assertThat(SamplePlan.role(plan).items()).extracting(ItemChange::id).containsExactly("file:/etc/motd");
        assertThat(SamplePlan.role(plan).items().getFirst().diff())
                .hasValueSatisfying(diff -> assertThat(diff).contains("-edited by hand", "+welcome"));
        assertThat(SamplePlan.role(plan).reason()).isEqualTo("differs from what was applied");
    }

    @Test
    void showsAnActionThatIsNoLongerDoneAsDriftAndRunsItAgain() {
        sample.applied();
        sample.observed.compute("head", (_, answer) -> SamplePlan.done(Objects.requireNonNull(answer)));

        var plan = sample.plan();

        assertThat(plan.drift())
                .containsExactly(new Plan.Drift(
                        "head", "motd", "action:greet", List.of(new Item.Difference("done", "false", "true"))));
        assertThat(SamplePlan.role(plan).actions()).extracting(ActionChange::id).containsExactly("greet");
    }

    /** The host was asked for the one that is wanted now. */
    @Test
    void aProbeThatIsRunOtherwiseThanTheRecordedOneIsNoDrift() {
        sample.contract = new Contract("motd", "head", List.of(probe("1")), List.of());
        sample.applied();
        sample.observed.put(
                "head",
                SamplePlan.answer(
                        new TreeMap<>(Map.of("probe:release", Seen.of(Map.of("rc", 0, "stdout", "1")))),
                        new TreeMap<>()));
        assertThat(sample.plan().drift()).extracting(Plan.Drift::item).containsExactly("probe:release");

        sample.contract = new Contract("motd", "head", List.of(probe("2")), List.of());

        assertThat(sample.plan().drift()).isEmpty();
        assertThat(SamplePlan.role(sample.plan()).items())
                .extracting(ItemChange::id)
                .containsExactly("probe:release");
    }

    /** Prints what differs from a release. */
    private static Item.Probe probe(String release) {
        return new Item.Probe(
                "release", List.of("other-than", release), Optional.of(""), 0, Item.Phase.AFTER, Item.Notify.NONE);
    }

    /** The host was asked for the one that is wanted now. */
    @Test
    void anActionWithAnotherProbeThanTheRecordedOneIsNoDrift() {
        sample.applied();
        sample.observed.compute("head", (_, answer) -> SamplePlan.done(Objects.requireNonNull(answer)));
        var greet = sample.contract.actions().getFirst();
        sample.contract = new Contract(
                "motd",
                "head",
                sample.contract.items(),
                List.of(new Action(
                        greet.id(),
                        greet.does(),
                        List.of("test", "-e", "/greeted-again"),
                        greet.run(),
                        greet.undo(),
                        greet.whyNoUndo(),
                        greet.blast(),
                        greet.with(),
                        greet.digest(),
                        greet.onDelete())));

        var plan = sample.plan();

        assertThat(plan.drift()).isEmpty();
        assertThat(SamplePlan.role(plan).actions()).extracting(ActionChange::id).containsExactly("greet");
    }

    @Test
    void leavesWhatNoRoleWantsAnyMore() {
        sample.applied();
        sample.contract = new Contract(
                "motd", "head", List.of(SamplePlan.file("/etc/motd", SamplePlan.TEXT)), sample.contract.actions());

        var step = SamplePlan.role(sample.plan());

        assertThat(step.dropped())
                .hasValueSatisfying(gone ->
                        assertThat(gone.items()).extracting(item -> item.id()).containsExactly("package:cowsay"));
        assertThat(step.items()).extracting(ItemChange::change).containsExactly(Change.NONE);
        assertThat(step.consents()).isEmpty();
    }

    @Test
    void removesThePackageThatNoRoleWantsAnyMoreWhereThatIsAskedFor() {
        sample.applied().removePackages = true;
        sample.contract = new Contract(
                "motd", "head", List.of(SamplePlan.file("/etc/motd", SamplePlan.TEXT)), sample.contract.actions());

        var step = SamplePlan.role(sample.plan());

        assertThat(step.items())
                .containsExactly(new ItemChange("package:cowsay", Change.DELETE, List.of(), Optional.empty()));
        assertThat(step.consents()).containsExactly(Consent.REMOVE_PACKAGES);
    }

    @Test
    void keepsPackagesOfARoleThatTheSiteDroppedUnlessTheirRemovalIsAskedFor() {
        sample.applied().stages = List.of();

        assertThat(leave().items())
                .extracting(ItemChange::id, ItemChange::change)
                .containsExactly(tuple("package:cowsay", Change.NONE), tuple("file:/etc/motd", Change.DELETE));
        assertThat(leave().consents()).containsExactly(Consent.DRAIN);
        sample.removePackages = true;
        assertThat(leave().items()).extracting(ItemChange::change).containsOnly(Change.DELETE);
        assertThat(leave().consents()).containsExactly(Consent.DRAIN, Consent.REMOVE_PACKAGES);
    }

    @Test
    void keepsWhatAnotherRoleOfTheHostWants() {
        sample.applied();
        sample.removePackages = true;
        sample.stages = List.of(new Stage("other", "other", Map.of("head", Map.of()), 0, List.of(), false));
        sample.contract = new Contract("other", "head", sample.contract.items(), List.of());

        assertThat(leave().items()).isEmpty();
    }

    private Step.Leave leave() {
        return sample.plan().steps().stream()
                .filter(Step.Leave.class::isInstance)
                .map(Step.Leave.class::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anotherVersionOfDeepsiteReRunsARoleWhoseActionItRevisedAndNoOther() {
        sample.applied().tool = "2.0";
        assertThat(sample.plan().steps()).isEmpty();
        var action = sample.contract.actions().getFirst();
        sample.contract = new Contract(
                "motd",
                "head",
                sample.contract.items(),
                List.of(new Action(
                        action.id(),
                        action.does(),
                        action.done(),
                        action.run(),
                        action.undo(),
                        action.whyNoUndo(),
                        action.blast(),
                        action.with(),
                        "of revised tasks",
                        action.onDelete())));

        var step = SamplePlan.role(sample.plan());

        assertThat(step.isOnlyRevised()).isTrue();
        assertThat(step.reason()).isEqualTo("role revised, 0 items differ");
    }

    @Test
    void leavesARoleThatTheSiteDropped() {
        sample.applied().stages = List.of();

        var leave = (Step.Leave) sample.plan().steps().getFirst();

        assertThat(leave.machineGoes()).isFalse();
        assertThat(leave.items()).hasSize(2);
        assertThat(leave.actions()).extracting(ActionChange::id).containsExactly("greet");
        assertThat(leave.consents()).containsExactly(Consent.DRAIN);
    }

    @Test
    void undoesOnlyWhatAsksForItBeforeAMachineGoes() {
        sample.applied().stages = List.of(new Stage("motd", "motd", Map.of(), 0, List.of(), false));
        sample.resources.clear();

        var plan = sample.plan();

        var delete = plan.steps().getFirst();
        var leave = (Step.Leave) plan.steps().getLast();
        assertThat(delete.change()).isEqualTo(Change.DELETE);
        assertThat(delete.needs()).containsExactly(leave.id());
        assertThat(leave.items()).isEmpty();
        assertThat(leave.actions()).extracting(ActionChange::id).containsExactly("greet");
    }

    @Test
    void undoesNothingBeforeTheMachinesOfAWholeClusterGo() {
        sample.applied().stages = List.of();
        sample.resources.clear();

        assertThat(sample.plan().steps()).extracting(Step::change).containsExactly(Change.DELETE);
        assertThat(sample.plan().steps()).noneMatch(Step.Leave.class::isInstance);
    }

    @Test
    void removesDependentsOfARoleBeforeTheRole() {
        sample.applied().stages = List.of();
        var contract = new Contract("upper", "head", List.of(), List.of());
        sample.state = sample.state.withHost(
                "head",
                sample.state
                        .hosts()
                        .get("head")
                        .withRole(
                                "upper",
                                new RecordedRole(
                                        "upper", List.of("motd"), "f", ContractJson.tree(contract), List.of())));

        var needs = sample.plan().steps().stream()
                .collect(Collectors.toMap(step -> ((Step.Leave) step).role(), Step::needs));

        assertThat(needs).containsEntry("upper", List.of()).containsEntry("motd", List.of("leave.upper@head"));
    }

    @Test
    void neverHoldsADigestOfASecretFile() {
        sample.contract = SamplePlan.contract(SamplePlan.SECRET_TEXT);
        sample.applied();
        sample.secrets.put("small_key", "s3cr3t");
        edited("key=other\n");

        var json = PlanJson.write(sample.plan());

        assertThat(json).doesNotContain("s3cr3t", Digests.sha256("key=s3cr3t\n"), Digests.sha256("key=other\n"));
        assertThat(SamplePlan.role(sample.plan()).items().getFirst().differences())
                .extracting(difference -> difference.field())
                .containsExactly("content");
    }

    @Test
    void doesNotShowTheSecretOfAFileThatShallHoldNoneAnyMore() {
        sample.contract = SamplePlan.contract(SamplePlan.SECRET_TEXT);
        sample.applied();
        sample.contract = SamplePlan.contract(SamplePlan.TEXT);
        edited("key=s3cr3t\n");

        var json = PlanJson.write(sample.plan());

        assertThat(SamplePlan.role(sample.plan()).items())
                .extracting(ItemChange::id)
                .contains("file:/etc/motd");
        assertThat(json).doesNotContain("s3cr3t", Digests.sha256("key=s3cr3t\n"));
    }

    @Test
    void saysThatASecretWillBeMade() {
        sample.contract = SamplePlan.contract(SamplePlan.SECRET_TEXT);

        assertThat(sample.plan().secrets()).containsExactly(new Plan.SecretChange("small_key", Change.CREATE));
    }

    @Test
    void saysThatASecretWasRotated() {
        sample.contract = SamplePlan.contract(SamplePlan.SECRET_TEXT);
        sample.secrets.put("small_key", "s3cr3t");
        sample.applied();

        assertThat(sample.plan().secrets()).isEmpty();

        sample.secrets.put("small_key", "an0ther");

        assertThat(sample.plan().secrets()).containsExactly(new Plan.SecretChange("small_key", Change.UPDATE));
    }

    @Test
    void saysThatARoleWasRevisedThoughNothingDiffers() {
        sample.applied();
        var applied = sample.contract;
        sample.contract = new Contract("motd", "head", applied.items(), List.of());
        sample.state = sample.state.withHost(
                "head",
                sample.state
                        .hosts()
                        .get("head")
                        .withRole(
                                "motd",
                                new RecordedRole(
                                        "motd", List.of(), "other", ContractJson.tree(sample.contract), List.of())));

        assertThat(SamplePlan.role(sample.plan()).reason()).isEqualTo("role revised, 0 items differ");
    }

    /** A renamed cluster: the order of leaving follows the recorded name. */
    @Test
    void recordsARenamedStageAgainThoughNothingDiffers() {
        sample.applied();
        var head = sample.state.hosts().get("head");
        var motd = head.roles().get("motd");
        sample.state = sample.state.withHost(
                "head",
                head.withRole(
                        "motd",
                        new RecordedRole(
                                "earlier.motd", motd.needs(), motd.fingerprint(), motd.contract(), List.of())));

        assertThat(SamplePlan.role(sample.plan()).items()).isEmpty();
    }

    @Test
    void refusesThingsOfASiteThatThisStateDidNotMake() {
        var seen = sample.seen(sample.resources.getFirst(), ObservedResource.Condition.READY);
        sample.owned.add(new ObservedResource(
                seen.id(),
                seen.name(),
                seen.attributes(),
                new Tags(new Name("lab"), "somebody else's", Optional.empty()),
                "etag",
                ObservedResource.Condition.READY,
                List.of()));

        assertThatThrownBy(sample::plan)
                .isInstanceOfSatisfying(
                        Failure.class,
                        e -> assertThat(e.diagnostics().getFirst().code()).isEqualTo(Code.FOREIGN_LINEAGE));
    }

    @Test
    void tagsExistingResourcesWhenALeaseStarts() {
        sample.applied().lease = Optional.of(LeaseTerms.of(Span.parse("4h"), Optional.empty()));

        var plan = sample.plan();

        assertThat(plan.steps()).isEmpty();
        assertThat(plan.retags()).extracting(ObservedResource::name).containsExactly("lab-head");
        assertThat(plan.isEmpty()).isFalse();
    }

    @Test
    void letsGoOfWhatIsKeptBecauseOthersUseIt() {
        sample.ends = Optional.of(Instant.parse("2026-11-21T12:00:00Z"));
        sample.applied();
        sample.resources.clear();
        sample.stages = List.of();
        var seen = sample.owned.removeFirst();
        sample.owned.add(new ObservedResource(
                seen.id(),
                seen.name(),
                seen.attributes(),
                seen.tags(),
                seen.version(),
                seen.condition(),
                List.of("somebody else's machine")));

        var plan = sample.plan();

        assertThat(plan.steps()).filteredOn(Step.OfResource.class::isInstance).satisfiesExactly(step -> {
            assertThat(step.change()).isEqualTo(Change.RELEASE);
            assertThat(step.consents()).isEmpty();
        });
        assertThat(plan.retags()).isEmpty();
    }

    @Test
    void leavesTagsAloneThatCarryTheRecordedEnd() {
        var ends = Instant.parse("2026-11-21T12:00:00Z");
        sample.ends = Optional.of(ends);
        sample.applied().lease = Optional.of(LeaseTerms.of(Span.parse("4h"), Optional.empty()));
        sample.state = sample.state.withLease(new RecordedLease(Instant.parse("2026-11-21T08:00:00Z"), ends, null));

        assertThat(sample.plan().isEmpty()).isTrue();
    }

    @Test
    void saysThatASecretWasRotatedAndChangesExactlyTheFilesThatBearIt() {
        rotated();

        var plan = sample.plan();

        assertThat(plan.secrets()).containsExactly(new Plan.SecretChange("small_key", Change.UPDATE));
        assertThat(SamplePlan.role(plan).items()).extracting(ItemChange::id).containsExactly("file:/etc/motd");
        assertThat(PlanJson.write(plan))
                .doesNotContain("s3cr3t", "an0ther", Digests.sha256("key=s3cr3t\n"), Digests.sha256("key=an0ther\n"));
    }

    @Test
    void saysNothingOfARotationThatEveryHostHasAlready() {
        rotated();
        sample.observed.put("head", sample.holds(sample.contract));

        assertThat(sample.plan().secrets()).isEmpty();
        assertThat(sample.plan().isEmpty()).isTrue();
    }

    @Test
    void doesNotTakeAnEditedFileForARotatedSecret() {
        withSecret();
        edited("key=other\n");

        assertThat(sample.plan().secrets()).isEmpty();
        assertThat(SamplePlan.role(sample.plan()).items())
                .extracting(ItemChange::id)
                .containsExactly("file:/etc/motd");
    }

    @Test
    void listsUnknownFacts() {
        sample.contract = OpenItems.contract(OpenItems.OF_ANOTHER);
        sample.applied();

        var plan = sample.plan();

        assertThat(plan.unknowns()).containsExactly(OpenItems.OF_ANOTHER);
        assertThat(SamplePlan.role(plan).items())
                .flatExtracting(ItemChange::differences)
                .extracting(Item.Difference::wanted)
                .containsExactly("<cpus of node-9>", "*** with cpus of node-9", "10.0.0.<cpus of node-9>:/srv");
    }

    @Test
    void isEmptyWhenFactsInItemsHold() {
        sample.contract = OpenItems.closed();
        sample.applied();
        sample.contract = OpenItems.contract(OpenItems.CPUS);
        sample.state = sample.state.withHost(
                "head",
                sample.state
                        .hosts()
                        .get("head")
                        .withRole(
                                "motd",
                                new RecordedRole(
                                        "motd",
                                        List.of(),
                                        Fingerprint.of(OpenItems.closed()),
                                        ContractJson.tree(OpenItems.closed()),
                                        List.of("greet"))));

        assertThat(sample.plan().steps()).isEmpty();
        assertThat(sample.plan().drift()).isEmpty();
    }

    @Test
    void reportsAnItemWithAnotherFact() {
        sample.contract = OpenItems.contract(OpenItems.CPUS);
        sample.applied();

        var changes = SamplePlan.role(sample.plan()).items();

        assertThat(changes)
                .extracting(ItemChange::id)
                .containsExactly("ini:/etc/x.conf:pool:size", "line:/etc/hosts:motd", "mount:/srv");
        assertThat(changes.getFirst().differences())
                .extracting(Item.Difference::wanted)
                .containsExactly("1");
    }

    private void withSecret() {
        sample.contract = SamplePlan.contract(SamplePlan.SECRET_TEXT);
        sample.secrets.put("small_key", "s3cr3t");
        sample.applied();
    }

    private void rotated() {
        withSecret();
        sample.secrets.put("small_key", "an0ther");
    }

    private void edited(String text) {
        var items = new TreeMap<>(sample.observed.get("head").items());
        items.put("file:/etc/motd", SamplePlan.seenFile(Digests.sha256(text)));
        sample.observed.put("head", SamplePlan.answer(items, new TreeMap<>(Map.of("/etc/motd", text))));
    }
}
