package io.deepsite.operations;

import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.report.Evidence;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedVerify;
import io.deepsite.state.StateRecorder;
import io.deepsite.verify.VerifyReport;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;

/** A site proves itself now, whatever its last proof says. */
public final class VerifyOperation {
    private final SiteContext context;
    private final ElasticProof elastic;

    /** @param makes whether each elastic group shall also make a machine for a test job */
    public VerifyOperation(SiteContext context, boolean makes) {
        this.context = context;
        this.elastic = new ElasticProof(context, makes);
    }

    /**
     * @throws Failure UNKNOWN_STAGE when nothing was applied yet, NO_ELASTIC when no group could make a machine, CANCELLED
     *     when it could not end
     */
    public Verified run(Consumer<Event> events, Cancel cancel) {
        elastic.refuseNone();
        var plan = new PlanOperation(context).plan();
        new AppliedHosts(context.state().hosts()).refuseNone();
        if (!plan.steps().isEmpty() || !plan.retags().isEmpty()) {
            context.runtime()
                    .notices()
                    .accept(Diagnostic.warning(
                            Code.CHANGES_WAIT,
                            null,
                            plan.steps().size() + " steps are not applied; what runs now is proved.",
                            ""));
        }
        var report = SiteProof.of(context).prove(plan, new TreeSet<>(), events, cancel);
        if (plan.isEmpty()) {
            try (var lock = context.lock().acquire("verify")) {
                var at = context.runtime().clock().instant();
                new Evidence(context.records().lastResults())
                        .keep(report, at, context.runtime().notices());
                new StateRecorder(context.store(), lock, context.state())
                        .record(state -> state.withVerify(new RecordedVerify(
                                plan.fingerprint(), report.green() ? Outcome.PASSED : Outcome.FAILED, at)));
            }
        }
        // Not recorded: machines that come and go are no part of the site's proof, and the loop may hold the lock now.
        return new Verified(elastic.added(report, events, cancel), ProbeResults.faults(plan.silent()));
    }

    /** @param silent why hosts did not answer deepsite, whatever the cluster says of them */
    public record Verified(VerifyReport report, List<Diagnostic> silent) {}
}
