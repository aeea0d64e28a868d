package io.deepsite.session;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Plan;
import io.deepsite.site.Name;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.verify.CheckResult;
import io.deepsite.verify.CheckResult.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The last proof of a cluster that is a cloud: a site of its own, whose machines that cloud makes. They are made, reached
 * over SSH, and go again. Where that fails they stay for somebody to look, and the next proof goes on there.
 *
 * @param file its site.yaml
 */
record FirstRun(Name cluster, Path file, Surroundings around) {

    /** Those that clusters of a site ask for; files are named as seen from the site's own. */
    static List<FirstRun> of(SiteSession session) {
        return session.site().clusters().entrySet().stream()
                .flatMap(each -> each.getValue().firstRun().stream()
                        .map(file -> new FirstRun(
                                each.getKey(), session.file().resolveSibling(file), session.surroundings())))
                .toList();
    }

    /** @throws Failure with all faults of its file, long before it is used */
    void check() {
        SiteLoader.load(file, Map.of()).orFail();
    }

    /** @throws Failure CANCELLED when it was not done wholly */
    CheckResult run(Cancel cancel) {
        var start = around.clock().instant();
        try (var session = SiteSession.open(file, Map.of(), around)) {
            well(session, session.plan(), ApplyOptions.ALL, cancel);
            int machines = session.state().hosts().size();
            var end = session.destroyPlan(Set.of());
            well(session, end, new ApplyOptions(end.consents(), Optional.empty(), Optional.empty()), cancel);
            return result(
                    Outcome.PASSED,
                    start,
                    (machines == 1 ? "1 machine" : machines + " machines") + " of " + file.getFileName()
                            + " came up, answered over SSH, and went again");
        } catch (Failure e) {
            if (e.isCancelled()) {
                throw e;
            }
            var first = e.diagnostics().getFirst();
            return result(
                    Outcome.FAILED,
                    start,
                    first.code().summary() + ": " + first.why() + " What " + file.getFileName()
                            + " made stays for a look: deepsite status " + file);
        }
    }

    private static void well(SiteSession session, Plan plan, ApplyOptions options, Cancel cancel) {
        var result = session.apply(plan, options, _ -> {}, cancel);
        if (result.cancelled()) {
            throw new Failure(Diagnostic.error(Code.CANCELLED, "The first run was stopped.", ""));
        }
        if (result.exit() != ExitCode.DONE) {
            throw new Failure(result.diagnostics());
        }
    }

    private CheckResult result(Outcome outcome, Instant start, String message) {
        var took = Duration.between(start, around.clock().instant());
        return new CheckResult(
                cluster.value(), "first-run", outcome, Optional.empty(), took.toMillis() / 1000.0, message);
    }
}
