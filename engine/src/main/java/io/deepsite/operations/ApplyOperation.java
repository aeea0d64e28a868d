package io.deepsite.operations;

import io.deepsite.ansible.Ansible;
import io.deepsite.apply.Applier;
import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.ApplyResult;
import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.apply.UnknownResolvers;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Plan;
import io.deepsite.plan.PlanJson;
import io.deepsite.provider.BackEnd;
import io.deepsite.provider.ObservedResource;
import io.deepsite.remote.HostProbe;
import io.deepsite.report.Evidence;
import io.deepsite.state.AtomicFile;
import io.deepsite.state.Journal;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedApply;
import io.deepsite.state.RecordedVerify;
import io.deepsite.state.Runs;
import io.deepsite.state.SiteLock;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateRecorder;
import io.deepsite.verify.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** One apply of one plan, under the site's lock; then the site proves itself if it has to. */
public final class ApplyOperation {
    private final SiteContext context;
    private final Plan plan;
    private final ApplyOptions options;
    private final Consumer<Event> events;
    private final Cancel cancel;
    private final Optional<Path> firstRunOf;
    private boolean proves = true;

    public ApplyOperation(SiteContext context, Plan plan, ApplyOptions options, Consumer<Event> events, Cancel cancel) {
        this(context, plan, options, events, cancel, Optional.empty());
    }

    /**
     * As part of another site's proof, which may take away again what it made, and nothing else.
     *
     * @param firstRunOf the site.yaml of that other site
     */
    ApplyOperation(
            SiteContext context,
            Plan plan,
            ApplyOptions options,
            Consumer<Event> events,
            Cancel cancel,
            Optional<Path> firstRunOf) {
        this.context = context;
        this.plan = plan;
        this.options = options;
        this.events = events;
        this.cancel = cancel;
        this.firstRunOf = firstRunOf;
    }

    /** Leaves the proof to the next apply: elastic machines come and go while users' jobs run. */
    ApplyOperation withoutProof() {
        proves = false;
        return this;
    }

    /**
     * Does exactly what the plan says.
     *
     * @throws Failure STALE_PLAN, CONSENT_NEEDED, CHANGED_SINCE_PLAN, LOCK_HELD, FIRST_RUN_OF_OTHERS: then nothing was touched
     */
    public RunResult run() {
        var now = context.runtime().clock().instant();
        var state = context.state();
        if (nothingToDo(state, now)) {
            Applier.admit(plan, state, options);
            return new RunResult(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.ofNullable(state.verify()),
                    Optional.empty(),
                    Optional.empty(),
                    false);
        }
        try (var lock = context.lock().acquire("apply")) {
            // Someone else may work on the site from now on: Ansible must not go on either.
            lock.whenLost(cancel::askAtOnce);
            return locked(lock);
        }
    }

    private boolean nothingToDo(SiteState state, Instant now) {
        return plan.isEmpty()
                && plan.gone().isEmpty()
                && !context.lock().isOfTheDead()
                && !lastFailed(state)
                && !RecordedBackEnd.isUntold(state)
                && !(proves && SiteProof.isDue(plan, state.verify(), now))
                && context.records().openIntents().isEmpty();
    }

    private RunResult locked(SiteLock.HeldLock lock) {
        var state = context.state();
        if (firstRunOf.isPresent()) {
            FirstRun.refuseOthers(context.file(), context.records().place(), state);
        }
        Applier.admit(plan, state, options);
        // A saved plan is older, and may predate a killed run.
        context.orphanedRuns().await();
        var survey = context.survey(state);
        var owned = survey.owned();
        refuseWhenOver(state, owned);
        try (var inspector = context.inspector()) {
            new StalenessCheck(context.access(), inspector, UnknownResolvers.of(context.secrets(), Map.of()))
                    .refuseWhenMoved(plan, owned, state);
        }
        var runs = context.records().runs();
        var run = runs.begin(context.runtime().clock().instant());
        try (var journal = context.records().journal();
                var log = new EventLog(
                        runs.events(run),
                        context.runtime().clock(),
                        context.runtime().notices(),
                        events)) {
            var recorder = new StateRecorder(context.store(), lock, provided(state, survey.backEnd()));
            if (RecordedBackEnd.isUntold(state)) {
                recorder.record(now -> now);
            }
            keep(run);
            boolean resumes = !journal.entries().isEmpty();
            journal.settle(run.id());
            var steps = plan.isEmpty() && plan.gone().isEmpty()
                    ? Optional.<ApplyResult>empty()
                    : Optional.of(apply(recorder, lock, journal, run, log));
            boolean whole = steps.map(ApplyResult::exit).orElse(ExitCode.DONE) == ExitCode.DONE;
            var verify = whole && proves ? prove(recorder, log) : Optional.<VerifyReport>empty();
            if (steps.isEmpty() && (resumes || lastFailed(state))) {
                passed(recorder, run);
            }
            if (whole && !proves) {
                // It is still what the last proof was of, once such machines are gone again.
                recorder.record(now -> now.withVerify(state.verify()));
            }
            if (whole && plan.machines().isEmpty()) {
                recorder.record(now -> RecordedBackEnd.left(now.withVerify(null).withLease(null)));
            }
            if (whole) {
                journal.finish(run);
            }
            return new RunResult(
                    steps,
                    verify,
                    Optional.ofNullable(recorder.current().verify()),
                    Optional.of(run.folder()),
                    new LeaseKeeping(context).enforce(recorder.current()),
                    cancel.asked());
        } finally {
            runs.keep(run);
        }
    }

    /** An expired site can be destroyed at any moment: nothing is built on it. */
    private void refuseWhenOver(SiteState state, List<ObservedResource> owned) {
        var lease = state.lease();
        if (lease != null
                && plan.leaseSeconds().isPresent()
                && !owned.isEmpty()
                && !lease.ends().isAfter(context.runtime().clock().instant())) {
            throw new Failure(Diagnostic.error(
                    Code.LEASE_OVER,
                    "It ended at " + lease.ends() + ", so whoever enforces it destroys the site. Nothing was touched.",
                    "Lengthen the lease, or destroy the site and apply again:",
                    "deepsite lease extend 2h",
                    "deepsite destroy"));
        }
    }

    private ApplyResult apply(
            StateRecorder recorder, SiteLock.HeldLock lock, Journal journal, Runs.Run run, Consumer<Event> log) {
        var probe = new HostProbe(context.remote(), HostProbe.USUAL_LIMIT);
        return new Applier(
                        plan,
                        context.provider(),
                        context.secrets(),
                        new Applier.HostAccess(context.access(), context.readiness(), probe, context.bundles()),
                        new Applier.RunControl(recorder, journal, run, log, cancel),
                        new Ansible(
                                context.runtime().environment(),
                                context.runtime().nodes(),
                                lock.grace()),
                        context.runtime().clock())
                .apply(options);
    }

    private static boolean lastFailed(SiteState state) {
        return state.apply() != null && state.apply().outcome() != Outcome.PASSED;
    }

    /** What an earlier run failed to do, or was ended before it could record as done, is done. */
    private void passed(StateRecorder recorder, Runs.Run run) {
        var now = context.runtime().clock().instant();
        recorder.record(state -> state.withApply(new RecordedApply(run.id(), Outcome.PASSED, now)));
    }

    private Optional<VerifyReport> prove(StateRecorder recorder, Consumer<Event> log) {
        var now = context.runtime().clock().instant();
        if (!SiteProof.isDue(plan, recorder.current().verify(), now)) {
            return Optional.empty();
        }
        VerifyReport report;
        try {
            report = SiteProof.of(context).prove(plan, SiteProof.fresh(plan), log, cancel);
        } catch (Failure e) {
            if (cancel.asked() && e.isCancelled()) {
                return Optional.empty();
            }
            throw e;
        }
        var at = context.runtime().clock().instant();
        new Evidence(context.records().lastResults())
                .keep(report, at, context.runtime().notices());
        recorder.record(state -> state.withVerify(
                new RecordedVerify(plan.fingerprint(), report.green() ? Outcome.PASSED : Outcome.FAILED, at)));
        return Optional.of(report);
    }

    private SiteState provided(SiteState state, BackEnd backEnd) {
        return state.withProvider(RecordedBackEnd.of(context, backEnd))
                .withParameters(context.loaded().parameters())
                .withFirstRunOf(firstRunOf.map(Path::toString).orElse(null));
    }

    private void keep(Runs.Run run) {
        var file = run.make("plan.json");
        try (var out = Files.newOutputStream(file)) {
            PlanJson.write(plan, out);
        } catch (IOException e) {
            throw AtomicFile.notWritten(file, e);
        }
    }
}
