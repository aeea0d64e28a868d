package io.deepsite.session;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Plan;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.verify.CheckResult;
import io.deepsite.verify.CheckResult.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
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

    /** Those that clusters of a site ask for. */
    static List<FirstRun> of(SiteSession session) {
        return files(session.site(), session.file()).entrySet().stream()
                .map(each -> new FirstRun(each.getKey(), each.getValue(), session.surroundings()))
                .toList();
    }

    /** @throws Failure with all faults of their files */
    static void refuseFaults(Site site, Path file) {
        var faults = faults(site, file);
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
    }

    /** Of the files that clusters of the site name, long before they are used. */
    static List<Diagnostic> faults(Site site, Path file) {
        return files(site, file).values().stream()
                .flatMap(each -> SiteLoader.load(each, Map.of()).diagnostics().stream())
                .filter(Diagnostic::isError)
                .toList();
    }

    /** By cluster; they are named as seen from the site's own file. */
    private static Map<Name, Path> files(Site site, Path file) {
        var files = new LinkedHashMap<Name, Path>();
        site.clusters()
                .forEach((name, cluster) ->
                        cluster.firstRun().ifPresent(first -> files.put(name, file.resolveSibling(first))));
        return files;
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
