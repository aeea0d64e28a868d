package io.deepsite.operations;

import io.deepsite.apply.UnknownResolvers;
import io.deepsite.diag.Diagnostic;
import io.deepsite.plan.DriftReport;
import io.deepsite.plan.Plan;
import io.deepsite.report.Evidence;
import java.util.List;
import java.util.Map;

/** What changed on the machines of a site since they were applied. */
public final class DriftOperation {
    private final SiteContext context;

    public DriftOperation(SiteContext context) {
        this.context = context;
    }

    /** Compares recorded and observed state; site.yaml is not read. A report shows what was found last. */
    public Drifted run() {
        var kept = context.keptRendering();
        var state = context.state();
        try (var inspector = context.prefetching(state)) {
            var survey = context.survey(state);
            var measured = inspector.measured(context.compile(survey), state);
            var desired = DesiredStateBuilder.of(context, state).from(measured.design(), kept);
            var answers = inspector.at(desired, survey.owned(), state, measured.silent());
            var found = new DriftReport(
                            state,
                            survey.owned(),
                            answers.answers(),
                            UnknownResolvers.of(context.secrets(), Map.of()),
                            desired.contents(),
                            desired.contracts())
                    .found();
            var drifted = new Drifted(found, ProbeResults.faults(answers.silent()));
            keep(drifted);
            return drifted;
        }
    }

    private void keep(Drifted drifted) {
        var runtime = context.runtime();
        new Evidence(context.records().lastResults())
                .keep(
                        new Evidence.Drift(
                                runtime.clock().instant(),
                                drifted.found(),
                                drifted.silent().stream()
                                        .map(fault -> fault.code().summary() + ". " + fault.why())
                                        .toList()),
                        runtime.notices());
    }

    /** @param silent why hosts did not answer: nothing is known of what changed there */
    public record Drifted(List<Plan.Drift> found, List<Diagnostic> silent) {}
}
