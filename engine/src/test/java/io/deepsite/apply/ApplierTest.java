package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Change;
import io.deepsite.plan.Consent;
import io.deepsite.plan.Plan;
import io.deepsite.plan.PlanJson;
import io.deepsite.plan.Step;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.remote.LocalRemote;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.Span;
import io.deepsite.state.SiteState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplierTest {
    /** A marker of a fact, in JSON. */
    private static final String ESCAPED = "\\u0001fact";

    private static final String HEAD = "resource:instance/head";
    private static final String NETWORK = "resource:network/net";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private SmallSite site;

    @BeforeEach
    void open() {
        site = new SmallSite(folder);
    }

    @Test
    void makesEachResourceOnceAndRecordsIt() {
        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);

        assertThat(site.provider.changes())
                .containsOnlyOnce(
                        "create network/net",
                        "create instance/head",
                        "create instance/node-1",
                        "create instance/node-2")
                .startsWith("create network/net");
        assertThat(site.state().hosts()).containsOnlyKeys("head", "node-1", "node-2");
        assertThat(site.openIntents()).isEmpty();
        assertThat(site.plan().isEmpty()).isTrue();
    }

    @Test
    void makesTheMachinesAloneWithoutAnsible() {
        site.withStage("hpc.munge", "munge", List.of(), "head");
        var machinesOnly = new ApplyOptions(Set.of(), Optional.of(ApplyOptions.MACHINES), Optional.empty());

        var result = site.apply(site.plan(), machinesOnly);

        assertThat(result.exit()).isEqualTo(ExitCode.CHANGES_PENDING);
        assertThat(site.state().hosts()).containsOnlyKeys("head", "node-1", "node-2");
        assertThat(site.plan().steps())
                .extracting(Step::id)
                .containsExactly(HEAD, "resource:instance/node-1", "resource:instance/node-2", "hpc.munge@head");
    }

    @Test
    void hasMadeAndJournalledEveryHostKeyBeforeTheFirstCall() {
        var keys = new ArrayList<List<String>>();
        var intents = new ArrayList<List<String>>();
        site.provider.beforeEach(call -> {
            if (call.startsWith("create")) {
                keys.add(site.secretNames());
                intents.add(site.journalled());
            }
        });

        site.apply();

        assertThat(keys).hasSize(4).containsOnly(List.of("host_key_head", "host_key_node_1", "host_key_node_2"));
        assertThat(intents).allSatisfy(steps -> assertThat(steps).startsWith("secrets"));
    }

    @Test
    void recordsWhatAnInterruptedRunMadeAndMakesItNoSecondTime() {
        site.apply();
        var forgetful = site.state().withoutResource("instance/head").withoutHost("head");
        site.write(forgetful);
        site.provider.forgetCalls();

        var plan = site.plan();
        site.apply(plan);

        assertThat(plan.steps()).extracting(Step::change).containsExactly(Change.NONE);
        assertThat(site.provider.changes()).isEmpty();
        assertThat(site.state().resources()).containsKey("instance/head");
        assertThat(site.state().hosts()).containsKey("head");
    }

    @Test
    void anInterruptedReplacementNeedsNoSecondConsent() {
        site.apply();
        site.image = "debian/13";
        var replacing = site.plan();
        assertThat(replacing.consents()).contains(Consent.REPLACE);
        site.provider.failHalfway(
                "create instance/node-1", new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "no", "")));
        site.apply(replacing);

        var rest = site.plan();

        assertThat(rest.steps()).extracting(Step::reason).contains("creation was interrupted; completing");
        assertThat(rest.consents()).isEmpty();
        assertThat(site.apply(rest).exit()).isEqualTo(ExitCode.DONE);
        assertThat(site.plan().isEmpty()).isTrue();
    }

    @Test
    void aCompletedResourceIsReplacedOnlyWithConsent() {
        site.apply();
        site.provider.cloud().setCondition(ResourceId.MACHINE, "lab-node-1", ObservedResource.Condition.HALF_MADE);

        assertThat(site.plan().consents()).containsExactly(Consent.REPLACE);
        var refused =
                catchThrowableOfType(Failure.class, () -> Applier.admit(site.plan(), site.state(), ApplyOptions.ALL));
        assertThat(refused.diagnostics()).extracting(Diagnostic::code).containsExactly(Code.CONSENT_NEEDED);
        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);
        assertThat(site.plan().isEmpty()).isTrue();
    }

    @Test
    void waitsAgainForAMachineThatNeverAnswered() {
        site.remote = new LocalRemote().without("head", Code.HOST_KEY_WRONG);
        assertThat(site.apply().exit()).isEqualTo(ExitCode.FAILED);
        site.provider.forgetCalls();

        var plan = site.plan();

        assertThat(plan.steps()).singleElement().satisfies(step -> {
            assertThat(step.id()).isEqualTo(HEAD);
            assertThat(step.change()).isEqualTo(Change.NONE);
            assertThat(step.reason()).contains("unreachable since creation");
        });
        assertThat(site.apply(plan).exit()).isEqualTo(ExitCode.FAILED);
        site.remote = new LocalRemote();
        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);
        assertThat(site.plan().isEmpty()).isTrue();
        assertThat(site.provider.changes()).isEmpty();
    }

    @Test
    void aMachineIsWaitedForWhoseChangeWasCutShort() {
        site.apply();
        site.cpus = 2;
        var plan = site.plan();
        var awaited = new ArrayList<Boolean>();
        site.provider.beforeEach(
                call -> awaited.add(site.state().hosts().get("head").awaited()));

        site.apply(plan);

        assertThat(awaited).containsExactly(true);
        assertThat(site.state().hosts().get("head").awaited()).isFalse();
    }

    @Test
    void forgetsWhatIsGoneThoughNothingElseIsToBeDone() {
        site.apply();
        site.wanted = false;
        site.provider.cloud().names().forEach(this::remove);

        var plan = site.plan();
        site.apply(plan);

        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.gone()).hasSize(4);
        assertThat(site.state().isEmpty()).isTrue();
    }

    @Test
    void aSiteThatItsLeaseEndedBeginsANewOne() {
        site.lease = Optional.of(LeaseTerms.of(Span.parse("1h"), Optional.empty()));
        site.apply();
        site.now = site.now.plus(Duration.ofHours(2));
        site.provider.cloud().names().forEach(this::remove);

        site.apply();

        assertThat(site.state().lease().ends()).isEqualTo(site.now.plus(Duration.ofHours(1)));
    }

    @Test
    void aLaterApplyDoesNotMoveTheEndOfALease() {
        site.lease = Optional.of(LeaseTerms.of(Span.parse("1h"), Optional.empty()));
        site.apply();
        var ends = site.state().lease().ends();
        site.now = site.now.plus(Duration.ofMinutes(10));
        remove("instance/lab-head");

        site.apply();

        assertThat(site.state().lease().ends()).isEqualTo(ends);
    }

    @Test
    void aRefusedTagKeepsNeitherTheOtherTagsNorTheRestOfTheApply() {
        site.apply();
        site.lease = Optional.of(LeaseTerms.of(Span.parse("1h"), Optional.empty()));
        remove("instance/lab-node-2");
        site.provider.failNext("retag instance/head", refused());
        site.provider.forgetCalls();

        var result = site.apply();

        assertThat(result.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(site.provider.changes())
                .contains("retag instance/node-1", "retag network/net", "create instance/node-2");
        assertThat(result.diagnostics())
                .singleElement()
                .satisfies(
                        fault -> assertThat(fault.why()).contains("The back-end says no.", "instance/head", "lease"));
        assertThat(site.openIntents()).isEmpty();
        assertThat(site.plan().retags())
                .extracting(seen -> seen.id().toString())
                .containsExactly("instance/head");
        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);
    }

    @Test
    void aSiteThatCannotBeDestroyedWhollyKeepsItsLease() {
        site.lease = Optional.of(LeaseTerms.of(Span.parse("1h"), Optional.empty()));
        site.apply();
        site.wanted = false;
        site.provider.failNext("delete instance/head", refused());

        site.apply();

        assertThat(site.state().resources()).containsOnlyKeys("instance/head", "network/net");
        assertThat(site.state().lease()).isNotNull();
    }

    @Test
    void aSilentHostKeepsOnlyWhatIsToBeDoneThereAndFailsTheRun() throws IOException {
        site.withStage("hpc.munge", "munge", List.of(), "head", "node-1", "node-2")
                .withAnsible("");
        site.apply();
        site.observe("head", "node-1");
        site.fingerprint = "another";
        site.silent.put("node-2", List.of(Diagnostic.error(Code.HOST_SILENT, "It is dead.", "")));

        var result = site.apply();

        assertThat(result.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(result.diagnostics()).extracting(Diagnostic::code).containsExactly(Code.HOST_SILENT);
        assertThat(site.outcome("hpc.munge@node-1")).isEqualTo(Event.StepOutcome.DONE);
        assertThat(site.outcome("hpc.munge@node-2")).isEqualTo(Event.StepOutcome.BLOCKED);
        assertThat(site.plays().getLast()).isEqualTo("hpc.munge head,node-1");
    }

    @Test
    void aFaultBlocksDependentsAndTheNextApplyResumes() {
        site.provider.failNext("create network/net", refused());

        var result = site.apply();

        assertThat(result.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(site.outcome(NETWORK)).isEqualTo(Event.StepOutcome.FAILED);
        assertThat(site.outcome(HEAD)).isEqualTo(Event.StepOutcome.BLOCKED);
        assertThat(site.openIntents()).isEmpty();
        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);
    }

    @Test
    void beginsNothingMoreOnceTheLockIsLost() {
        site.provider.beforeEach(call -> {
            if (call.equals("create network/net")) {
                site.unlock();
            }
        });

        catchThrowableOfType(Failure.class, site::apply);

        assertThat(site.provider.changes()).containsExactly("create network/net");
    }

    @Test
    void whenCancelledBeginsNothingMoreAndCallsItNoFault() {
        site.provider.beforeEach(call -> {
            if (call.equals("create network/net")) {
                site.cancel.ask();
            }
        });

        var result = site.apply();

        assertThat(result.exit()).isEqualTo(ExitCode.CANCELLED);
        assertThat(result.diagnostics()).isEmpty();
        assertThat(site.provider.changes()).containsExactly("create network/net");
        assertThat(site.outcome(NETWORK)).isEqualTo(Event.StepOutcome.DONE);
        assertThat(site.outcome(HEAD)).isEqualTo(Event.StepOutcome.CANCELLED);
    }

    @Test
    void whenCancelledTwiceAlsoEndsTheCallInFlight() {
        site.provider.beforeEach(call -> {
            if (call.equals("create network/net")) {
                site.cancel.ask();
                site.cancel.ask();
            }
        });

        assertThat(site.apply().exit()).isEqualTo(ExitCode.CANCELLED);

        assertThat(site.outcome(NETWORK)).isEqualTo(Event.StepOutcome.CANCELLED);
    }

    @Test
    void whenCancelledLetsTheStageInFlightEndAndBeginsNoOther() throws IOException {
        site.withAnsible(
                        "",
                        "mkfifo go; echo '{\"event\":\"task\",\"task\":\"Hold\"}' >>\"$DEEPSITE_EVENTS\"; read -r"
                                + " line <go")
                .withStage("base", "motd", List.of(), "head")
                .withStage("upper", "etc_hosts", List.of("base"), "head");
        site.whenTold("Hold", () -> {
            site.cancel.ask();
            site.let("go");
        });

        var result = site.apply();

        assertThat(result.exit()).isEqualTo(ExitCode.CANCELLED);
        assertThat(result.diagnostics()).isEmpty();
        assertThat(site.plays()).containsExactly("base head");
        assertThat(site.outcome("base@head")).isEqualTo(Event.StepOutcome.DONE);
        assertThat(site.outcome("upper@head")).isEqualTo(Event.StepOutcome.CANCELLED);
        assertThat(site.openIntents()).isEmpty();
    }

    @Test
    void whenCancelledTwiceEndsTheStageInFlightWithAllItStarted() throws IOException {
        site.withAnsible(
                        "",
                        "sleep 600 & echo $! >child; echo '{\"event\":\"task\",\"task\":\"Hold\"}'"
                                + " >>\"$DEEPSITE_EVENTS\"; wait")
                .withStage("base", "motd", List.of(), "head");
        site.whenTold("Hold", () -> {
            site.cancel.ask();
            site.cancel.ask();
        });

        var result = site.apply();

        assertThat(result.exit()).isEqualTo(ExitCode.CANCELLED);
        assertThat(site.outcome("base@head")).isEqualTo(Event.StepOutcome.CANCELLED);
        var child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
        ProcessHandle.of(child).ifPresent(process -> process.onExit().join());
        assertThat(site.apply(site.plan()).exit()).isEqualTo(ExitCode.CANCELLED);
    }

    @Test
    void appliesStagesInTheOrderOfTheirNeeds() throws IOException {
        site.withAnsible("")
                .withStage("base", "motd", List.of(), "head", "node-1", "node-2")
                .withStage("upper", "etc_hosts", List.of("base"), "head");

        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);

        assertThat(site.ended()).containsSubsequence("base@head", "upper@head").contains("base@node-1", "base@node-2");
        assertThat(site.state().hosts().get("head").roles()).containsOnlyKeys("motd", "etc_hosts");
        assertThat(site.openIntents()).isEmpty();
    }

    @Test
    void aHostsRolesThatWaitForNoOtherHostShareAProcess() throws IOException {
        site.withAnsible("")
                .withStage("base", "motd", List.of(), "head")
                .withStage("upper", "etc_hosts", List.of("base"), "head");

        site.apply();

        assertThat(site.events.stream().filter(Event.AnsibleEnded.class::isInstance))
                .singleElement()
                .isInstanceOfSatisfying(Event.AnsibleEnded.class, ended -> {
                    assertThat(ended.plays()).containsExactly("base", "upper");
                    assertThat(ended.hosts()).isEqualTo(1);
                    assertThat(ended.connections()).isZero();
                });
    }

    @Test
    void aRoleThatNeedsAFactWaitsForThatMachineOnly() throws IOException {
        var done = new CountDownLatch(1);
        site.more = List.of(site.file("/etc/f", "at " + Marker.fact(new Item.Unknown("node-1", "memory_mib")) + "\n"));
        site.provider.beforeEach(call -> {
            if (call.equals("create instance/node-2")) {
                await(done);
            }
        });
        site.whenTold("Hold", done::countDown);
        site.withAnsible("", "echo '{\"event\":\"task\",\"task\":\"Hold\"}' >>\"$DEEPSITE_EVENTS\"")
                .withStage("base", "motd", List.of(), "head");

        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);

        assertThat(site.ended())
                .containsSubsequence("resource:instance/node-1", "base@head")
                .contains("resource:instance/node-2");
    }

    @Test
    void fillsInFactsOfCreatedMachinesAndKeepsThatPlanWithTheRun() throws IOException {
        var fact = Marker.fact(new Item.Unknown("node-1", "memory_mib"));
        site.more = List.of(
                new Item.Ini("/etc/i", "s", "o", List.of(fact), false, Item.Phase.BEFORE, Item.Notify.NONE),
                new Item.Line("/etc/l", "n", "at " + fact + "\n", Item.Phase.BEFORE, Item.Notify.NONE),
                new Item.Mount("/m", fact + ":/m", "nfs", "size=" + fact, Item.Phase.BEFORE, Item.Notify.NONE),
                site.file("/etc/f", "at " + fact + "\n"));
        site.withAnsible("").withStage("base", "motd", List.of(), "head");

        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);

        var recorded =
                site.state().hosts().get("head").roles().get("motd").contract().toString();
        assertThat(recorded)
                .containsPattern("\"values\":\\[\"[0-9]+\"]")
                .containsPattern("\"block\":\"at [0-9]+.n\"")
                .containsPattern("\"source\":\"[0-9]+:/m\"")
                .containsPattern("\"options\":\"size=[0-9]+\"")
                .doesNotContain(ESCAPED);
        assertThat(site.ofLastRun("bundle-1/contracts/head/motd.json")).doesNotContain(ESCAPED);
        assertThat(site.ofLastRun("bundle-1/files/head/motd/etc/f")).matches("at [0-9]+\n");
        assertThat(site.ofLastRun("closed-plan.json")).containsPattern("\"block\" : \"at [0-9]+.n\"");
    }

    @Test
    void configuresNothingOnAMachineThatIsSmallerThanAsked() throws IOException {
        site.cpus = 4096;
        site.withAnsible("")
                .withStage("base", "motd", List.of(), "head", "node-1")
                .withStage("upper", "etc_hosts", List.of(), "head");

        var result = site.apply();

        assertThat(result.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(result.diagnostics()).extracting(Diagnostic::code).containsExactly(Code.MACHINE_TOO_SMALL);
        assertThat(site.plays()).containsExactly("base node-1");
        assertThat(site.outcome("upper@head")).isEqualTo(Event.StepOutcome.BLOCKED);
        assertThat(site.state().hosts()).containsOnlyKeys("head", "node-1", "node-2");
    }

    @Test
    void doesNotBeginAStepWhoseFactIsMissingNorWhatNeedsIt() throws IOException {
        site.more = List.of(site.file("/etc/f", Marker.fact(new Item.Unknown("node-9", "cpus")) + "\n"));
        site.withAnsible("")
                .withStage("base", "motd", List.of(), "head")
                .withStage("upper", "etc_hosts", List.of("base"), "head");

        var result = site.apply();

        assertThat(result.diagnostics()).extracting(Diagnostic::code).containsExactly(Code.FACT_MISSING);
        assertThat(site.plays()).isEmpty();
    }

    @Test
    void bringsARotatedSecretToEveryHostThatBearsItAndThenHasNothingToDo() throws IOException {
        bearingASecret("");
        var before = site.state().secrets();
        site.putSecret("small_key", "an0ther");

        var plan = site.plan();
        site.apply(plan);
        site.observeAll();

        assertThat(plan.secrets()).containsExactly(new Plan.SecretChange("small_key", Change.UPDATE));
        assertThat(plan.steps()).extracting(Step::id).containsExactlyInAnyOrder("base@head", "base@node-1");
        assertThat(plan.bearers("small_key")).hasSize(2);
        assertThat(site.plays().getLast()).isEqualTo("base head,node-1");
        assertThat(site.plan().isEmpty()).isTrue();
        assertThat(site.state().secrets().get("small_key"))
                .startsWith("hmac-sha256:")
                .isNotEqualTo(before.get("small_key"));
        assertThat(PlanJson.write(plan) + site.ofLastRun("closed-plan.json") + site.stateText())
                .doesNotContain("s3cr3t", "an0ther", Digests.sha256("key=an0ther\n"), Digests.sha256("key=s3cr3t\n"));
    }

    @Test
    void callsASecretRotatedUntilTheLastHostHasIt() throws IOException {
        bearingASecret("node-1");
        site.putSecret("small_key", "an0ther");

        site.apply();

        assertThat(site.plan().secrets()).containsExactly(new Plan.SecretChange("small_key", Change.UPDATE));
    }

    /** @param failing a host that fails from the second apply on */
    private void bearingASecret(String failing) throws IOException {
        site.more = List.of(site.file("/etc/key", "key=" + Marker.secret("small_key") + "\n"));
        site.putSecret("small_key", "s3cr3t");
        site.withAnsible("").withStage("base", "motd", List.of(), "head", "node-1");
        site.apply();
        site.withAnsible(failing).observeAll();
        assertThat(site.plan().isEmpty()).isTrue();
    }

    @Test
    void aFailedHostBlocksOnlyWhatNeedsIt() throws IOException {
        site.withAnsible("node-1")
                .withStage("base", "motd", List.of(), "node-1", "node-2")
                .withStage("upper", "etc_hosts", List.of("base"), "node-1", "node-2");

        assertThat(site.apply().exit()).isEqualTo(ExitCode.FAILED);

        assertThat(site.outcome("base@node-1")).isEqualTo(Event.StepOutcome.FAILED);
        assertThat(site.outcome("upper@node-1")).isEqualTo(Event.StepOutcome.BLOCKED);
        assertThat(site.outcome("upper@node-2")).isEqualTo(Event.StepOutcome.DONE);
    }

    /** What the host's first process passed over runs in a second one, where the role that failed is no more. */
    @Test
    void aRoleDoesNotRunAfterOneOfTwoThatItNeedsFailed() throws IOException {
        site.withAnsible("head", "[ \"$play\" != one ] || sed -i \"s/'head'/'nobody'/g\" ansible-playbook")
                .withStage("one", "motd", List.of(), "head")
                .withStage("two", "etc_hosts", List.of(), "head")
                .withStage("three", "munge", List.of("one", "two"), "head");

        site.apply();

        assertThat(site.outcome("one@head")).isEqualTo(Event.StepOutcome.FAILED);
        assertThat(site.outcome("two@head")).isEqualTo(Event.StepOutcome.DONE);
        assertThat(site.outcome("three@head")).isEqualTo(Event.StepOutcome.BLOCKED);
    }

    @Test
    void aFailedHostBlocksNothingOfTheOtherHostsThatShareItsProcess() throws IOException {
        site.nodes = 6;
        site.withAnsible("node-4");
        var hosts = List.of("head", "node-1", "node-2", "node-3", "node-4", "node-5", "node-6");
        // Each host has a stage of its own, so all are of different kinds.
        hosts.forEach(host -> site.withStage("of." + host, "motd", List.of(), host));

        site.apply();

        assertThat(site.outcome("of.node-4@node-4")).isEqualTo(Event.StepOutcome.FAILED);
        hosts.stream()
                .filter(host -> !host.equals("node-4"))
                .forEach(host ->
                        assertThat(site.outcome("of." + host + "@" + host)).isEqualTo(Event.StepOutcome.DONE));
        assertThat(site.openIntents()).isEmpty();
    }

    @Test
    void aRollingStageEndsWithTheHostThatFailedAlsoForHostsThatAreMadeLater() throws IOException {
        var begun = new CountDownLatch(1);
        site.provider.beforeEach(call -> {
            if (call.equals("create instance/node-2")) {
                await(begun);
            }
        });
        site.whenTold("Hold", begun::countDown);
        site.withAnsible("node-1", "echo '{\"event\":\"task\",\"task\":\"Hold\"}' >>\"$DEEPSITE_EVENTS\"")
                .withRollingStage("roll", "motd", List.of(), "node-1", "node-2");

        site.apply();

        assertThat(site.outcome("roll@node-1")).isEqualTo(Event.StepOutcome.FAILED);
        assertThat(site.outcome("roll@node-2")).isEqualTo(Event.StepOutcome.BLOCKED);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aMachineThatCannotBeMadeDoesNotKeepTheOthersFromBeingConfigured() throws IOException {
        site.withAnsible("").withStage("base", "motd", List.of(), "head", "node-1");
        site.provider.failNext("create instance/node-1", refused());

        site.apply();

        assertThat(site.outcome("base@head")).isEqualTo(Event.StepOutcome.DONE);
        assertThat(site.outcome("base@node-1")).isEqualTo(Event.StepOutcome.BLOCKED);
    }

    @Test
    void aLimitedRunSkipsDependentsOfSkippedSteps() throws IOException {
        site.withAnsible("")
                .withStage("control", "motd", List.of(), "head")
                .withStage("base", "motd", List.of(), "node-1")
                .withStage("join", "etc_hosts", List.of("control", "base"), "node-1");

        var result = site.apply(site.plan(), new ApplyOptions(Set.of(), Optional.empty(), Optional.of("node")));

        assertThat(result.exit()).isEqualTo(ExitCode.CHANGES_PENDING);
        assertThat(site.plays()).containsExactly("base node-1");
    }

    @Test
    void asksForAnsibleBeforeAnythingIsMade() {
        site.withStage("base", "motd", List.of(), "head");
        site.path = "/nonexistent";

        var failure = catchThrowableOfType(Failure.class, site::apply);

        assertThat(failure.diagnostics()).extracting(Diagnostic::code).containsExactly(Code.ANSIBLE_MISSING);
        assertThat(site.provider.changes()).isEmpty();
    }

    @Test
    void refusesThePlanOfAnotherSite() {
        assertThat(refusal(SiteState.fresh("other", "1.0"), ApplyOptions.ALL)).isEqualTo(Code.STALE_PLAN);
    }

    @Test
    void refusesAPlanThatTheStateHasOutrun() {
        var plan = site.plan();
        site.apply();

        var failure = catchThrowableOfType(Failure.class, () -> Applier.admit(plan, site.state(), ApplyOptions.ALL));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.STALE_PLAN);
    }

    private Code refusal(SiteState state, ApplyOptions options) {
        var failure = catchThrowableOfType(Failure.class, () -> Applier.admit(site.plan(), state, options));
        return failure.diagnostics().getFirst().code();
    }

    private void remove(String thing) {
        int slash = thing.indexOf('/');
        site.provider.cloud().remove(thing.substring(0, slash), thing.substring(slash + 1));
    }

    private static Failure refused() {
        return new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "The back-end says no.", ""));
    }
}
