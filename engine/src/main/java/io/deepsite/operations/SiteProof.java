package io.deepsite.operations;

import io.deepsite.apply.Access;
import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.remote.Remote;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedVerify;
import io.deepsite.verify.CheckResult;
import io.deepsite.verify.Verifier;
import io.deepsite.verify.VerifyReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** When a site has to prove itself, and the proof. */
final class SiteProof {
    /** Clusters that prove themselves at a time. */
    private static final int LIMIT = 4;

    /** A whole proof: far more than its jobs take, and still an end. */
    private static final Duration WHOLE = Duration.ofMinutes(20);

    private final Access access;
    private final Remote remote;
    private final List<FirstRun> firstRuns;

    SiteProof(Access access, Remote remote, List<FirstRun> firstRuns) {
        this.access = access;
        this.firstRuns = firstRuns;
        this.remote = remote;
    }

    static SiteProof of(SiteContext context) {
        return new SiteProof(context.access(), context.remote(), FirstRun.of(context));
    }

    /** After a change, after a proof that was not green or of something else, and when the last one is too old. */
    static boolean isDue(Plan plan, @Nullable RecordedVerify last, Instant now) {
        if (plan.proofs().isEmpty()) {
            return false;
        }
        var maxAge = plan.proofs().stream()
                .map(proof -> Duration.ofSeconds(proof.maxAgeSeconds()))
                .min(Comparator.naturalOrder())
                .orElseThrow();
        return !plan.isEmpty()
                || last == null
                || last.outcome() != Outcome.PASSED
                || !last.fingerprint().equals(plan.fingerprint())
                || last.at().plus(maxAge).isBefore(now);
    }

    /**
     * @param fresh machines on which no user's work can run yet
     * @throws io.deepsite.diag.Failure CANCELLED when it was not done wholly: then nothing is known
     */
    VerifyReport prove(Plan plan, SortedSet<String> fresh, Consumer<Event> events, Cancel cancel) {
        var proofs = plan.proofs().stream()
                .map(proof -> new Verifier.Proof(
                        proof.cluster(),
                        access.target(machine(plan, proof.host()), plan.machines()),
                        plan.contents().text(proof.body())))
                .toList();
        var patience = plan.proofs().stream()
                .mapToLong(Plan.Proof::patienceSeconds)
                .max()
                .orElse(0);
        events.accept(new Event.Phase("Verify", proofs.size()));
        var terms = new Verifier.Terms(Duration.ofSeconds(patience), WHOLE, fresh);
        var report = run(remote, proofs, terms, events, cancel);
        return report.green() ? withFirstRuns(report, events, cancel) : report;
    }

    /** @throws io.deepsite.diag.Failure CANCELLED when it was not done wholly */
    static VerifyReport run(
            Remote remote, List<Verifier.Proof> proofs, Verifier.Terms terms, Consumer<Event> events, Cancel cancel) {
        return cancel.interrupting(() ->
                new Verifier(remote, LIMIT).run(proofs, terms, cancel::asked, result -> events.accept(event(result))));
    }

    /** A cloud whose hosts do not prove themselves makes no machines. */
    private VerifyReport withFirstRuns(VerifyReport report, Consumer<Event> events, Cancel cancel) {
        var results = new ArrayList<>(report.results());
        for (var firstRun : firstRuns) {
            events.accept(new Event.Phase("First run of " + firstRun.cluster(), 1));
            var result = firstRun.run(cancel);
            events.accept(event(result));
            results.add(result);
        }
        return new VerifyReport(results);
    }

    /** Machines that this plan made or restarted. */
    static SortedSet<String> fresh(Plan plan) {
        var fresh = new TreeSet<String>();
        for (var step : plan.steps()) {
            if (step instanceof Step.OfResource resource && resource.isMachine() && begins(resource)) {
                resource.desired().ifPresent(desired -> fresh.add(desired.id().key()));
            }
        }
        return fresh;
    }

    private static boolean begins(Step.OfResource machine) {
        return switch (machine.change()) {
            case CREATE, REPLACE -> true;
            case UPDATE ->
                machine.restarts()
                        || machine.seen()
                                .filter(seen -> seen.condition() == ObservedResource.Condition.STOPPED)
                                .isPresent();
            case DELETE, RELEASE, NONE -> false;
        };
    }

    private static Machine machine(Plan plan, String name) {
        var machine = plan.machines().get(name);
        if (machine == null) {
            throw new IllegalStateException("a proof names " + name + ", which is no machine of the plan");
        }
        return machine;
    }

    private static Event.Check event(CheckResult result) {
        return new Event.Check(
                result.cluster(),
                result.id(),
                result.outcome().name().toLowerCase(Locale.ROOT),
                result.node().orElse(""),
                result.message());
    }
}
