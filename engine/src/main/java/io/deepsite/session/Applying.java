package io.deepsite.session;

import io.deepsite.apply.Applier;
import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.ApplyResult;
import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.diag.ExitCode;
import io.deepsite.plan.Plan;
import io.deepsite.plan.PlanJson;
import io.deepsite.provider.ResourceId;
import io.deepsite.state.Journal;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedVerify;
import io.deepsite.state.Runs;
import io.deepsite.state.SiteLock;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateRecorder;
import io.deepsite.verify.VerifyReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.function.Consumer;

/** One apply of one plan, under the site's lock. */
final class Applying {
    private final SiteSession session;
    private final Plan plan;
    private final ApplyOptions options;
    private final Consumer<Event> events;
    private final Cancel cancel;

    Applying(SiteSession session, Plan plan, ApplyOptions options, Consumer<Event> events, Cancel cancel) {
        this.session = session;
        this.plan = plan;
        this.options = options;
        this.events = events;
        this.cancel = cancel;
    }

    RunResult run() {
        var now = session.surroundings().clock().instant();
        boolean toForget = plan.machines().isEmpty() && !session.state().isEmpty();
        if (plan.isEmpty() && !toForget && !Proving.isDue(plan, session.state().verify(), now)) {
            return new RunResult(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.ofNullable(session.state().verify()),
                    Optional.empty(),
                    Optional.empty());
        }
        try (var lock = session.lock().acquire("apply")) {
            return locked(lock);
        }
    }

    private RunResult locked(SiteLock.HeldLock lock) {
        var state = session.state();
        Applier.admit(plan, state, options);
        var owned = session.survey().owned();
        new World(session.access(), session.looking()).refuseWhenMoved(plan, owned);
        var run =
                new Runs(session.folder()).begin(session.surroundings().clock().instant());
        try (var journal = Journal.open(
                session.folder(),
                session.surroundings().clock(),
                session.surroundings().notices())) {
            var recorder = new StateRecorder(
                    session.store(), lock, provided(owned.isEmpty() ? withoutMachines(state) : state));
            var log = new EventLog(
                    run.folder().resolve("events.ndjson"),
                    session.surroundings().clock(),
                    events);
            keep(run);
            var steps =
                    plan.isEmpty() ? Optional.<ApplyResult>empty() : Optional.of(apply(recorder, journal, run, log));
            boolean whole = steps.map(ApplyResult::exit).orElse(ExitCode.DONE) == ExitCode.DONE;
            var verify = whole ? prove(recorder, log) : Optional.<VerifyReport>empty();
            if (whole && plan.machines().isEmpty()) {
                recorder.record(now -> now.withVerify(null).withLease(null));
            }
            if (whole) {
                journal.finish(run.folder());
            }
            log.close();
            return new RunResult(
                    steps,
                    verify,
                    Optional.ofNullable(recorder.current().verify()),
                    Optional.of(run.folder()),
                    new LeaseKeeping(session).enforce(recorder.current()));
        }
    }

    private ApplyResult apply(StateRecorder recorder, Journal journal, Runs.Run run, Consumer<Event> log) {
        return Applier.of(
                        plan,
                        session.provider(),
                        session.secrets(),
                        session.access(),
                        session.readiness(),
                        session.bundles(),
                        recorder,
                        journal,
                        run,
                        session.surroundings().environment(),
                        session.surroundings().clock(),
                        log,
                        cancel)
                .apply(options);
    }

    private Optional<VerifyReport> prove(StateRecorder recorder, Consumer<Event> log) {
        var now = session.surroundings().clock().instant();
        if (!Proving.isDue(plan, recorder.current().verify(), now)) {
            return Optional.empty();
        }
        var report = session.proving().prove(plan, log);
        recorder.record(state -> state.withVerify(new RecordedVerify(
                plan.fingerprint(),
                report.green() ? Outcome.PASSED : Outcome.FAILED,
                session.surroundings().clock().instant())));
        return Optional.of(report);
    }

    /** The reaper, or somebody by hand, took the whole site: its lease and its proof went with it. */
    private SiteState withoutMachines(SiteState state) {
        if (!session.provider().capabilities().makesMachines()) {
            return state;
        }
        var next = state.withLease(null).withVerify(null);
        for (var id : state.resources().keySet()) {
            next = next.withoutResource(id).withoutHost(ResourceId.parse(id).key());
        }
        return next;
    }

    private SiteState provided(SiteState state) {
        return state.withProvider(Providers.recorded(session.site().provider()))
                .withParameters(session.loaded().parameters());
    }

    private void keep(Runs.Run run) {
        try {
            Files.writeString(run.folder().resolve("plan.json"), PlanJson.write(plan));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
