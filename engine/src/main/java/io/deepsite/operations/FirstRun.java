package io.deepsite.operations;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import io.deepsite.plan.Plan;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.state.SiteState;
import io.deepsite.verify.CheckResult;
import io.deepsite.verify.CheckResult.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The last proof of a cluster that is a cloud: a site of its own, whose machines that cloud makes. They are made, reached
 * over SSH, and go again. If that fails, they stay for inspection, and the next proof continues with them.
 *
 * @param file its site.yaml
 * @param of the site.yaml of the cloud
 */
record FirstRun(Name cluster, Path file, Path of, RuntimeContext runtime) {

    /** Those that clusters of a site ask for. */
    static List<FirstRun> of(SiteContext context) {
        return files(context.site(), context.file()).entrySet().stream()
                .map(each -> new FirstRun(
                        each.getKey(), each.getValue(), context.file().toAbsolutePath(), context.runtime()))
                .toList();
    }

    /** @throws Failure with all faults of their files */
    static void refuseFaults(Site site, Path file, RuntimeContext runtime) {
        var faults = faults(site, file, runtime);
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
    }

    /** Of the files that clusters of the site name, long before they are used. */
    static List<Diagnostic> faults(Site site, Path file, RuntimeContext runtime) {
        var faults = new ArrayList<Diagnostic>();
        files(site, file).forEach((cluster, each) -> {
            if (leaves(file, each)) {
                // Before it is read: faults show lines, and these may be secret.
                faults.add(elsewhere(file, cluster));
                return;
            }
            var loaded = runtime.kinds().loader().load(each, Map.of());
            loaded.diagnostics().stream().filter(Diagnostic::isError).forEach(faults::add);
            loaded.site().ifPresent(first -> {
                try {
                    refuseOthers(each, first, runtime);
                } catch (Failure e) {
                    faults.addAll(e.diagnostics());
                }
            });
        });
        return faults;
    }

    private static void refuseOthers(Path file, Site first, RuntimeContext runtime) {
        try (var records = runtime.records(file, first.name())) {
            records.state().read().ifPresent(state -> refuseOthers(file, records.place(), state));
        }
    }

    /**
     * Its machines go at the end, whatever they hold. So they are those of a first run, or there are none yet.
     *
     * @throws Failure FIRST_RUN_OF_OTHERS
     */
    static void refuseOthers(Path file, String place, SiteState state) {
        if (!state.isEmpty() && state.firstRunOf() == null) {
            throw new Failure(Diagnostic.error(
                    Code.FIRST_RUN_OF_OTHERS,
                    file + " is the site of a first run, which is destroyed at its end; but it was applied on its own: "
                            + place + " records " + machines(state)
                            + " that no first run made. Nothing was touched.",
                    "Give firstRun a site.yaml that has no other use. If this site is no longer needed, destroy it:",
                    "deepsite destroy " + file));
        }
    }

    private static String machines(SiteState state) {
        int hosts = state.hosts().size();
        return hosts == 0 ? "something" : hosts == 1 ? "1 machine" : hosts + " machines";
    }

    /** Out of the folder of the site that names it, also by a link. */
    private static boolean leaves(Path file, Path named) {
        var folder = file.toAbsolutePath().normalize().resolveSibling(".").normalize();
        if (!named.toAbsolutePath().normalize().startsWith(folder)) {
            return true;
        }
        try {
            return Files.exists(named) && !named.toRealPath().startsWith(folder.toRealPath());
        } catch (IOException e) {
            return true;
        }
    }

    private static Diagnostic elsewhere(Path file, Name cluster) {
        return Diagnostic.error(
                Code.NOT_ACCEPTED,
                new Where(file.toString(), 0, 0, 1, "clusters." + cluster + ".firstRun", null),
                "The site of a first run lies in the folder of the site that names it, or below: it is made and taken away"
                        + " with this one. It was not read.",
                "Put a copy there, and name that.");
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
        var start = runtime.clock().instant();
        try (var context = open()) {
            well(context, new PlanOperation(context).plan(), ApplyOptions.ALL, cancel);
            int machines = context.state().hosts().size();
            var end = new PlanOperation(context).destroyPlan(Set.of());
            well(context, end, new ApplyOptions(end.consents(), Optional.empty(), Optional.empty()), cancel);
            return result(
                    Verdict.PASSED,
                    start,
                    (machines == 1 ? "1 machine" : machines + " machines") + " of " + file.getFileName()
                            + " came up, answered over SSH, and went again");
        } catch (Failure e) {
            if (e.isCancelled()) {
                throw e;
            }
            var first = e.diagnostics().getFirst();
            return result(
                    Verdict.FAILED,
                    start,
                    first.code().summary() + ": " + first.why()
                            + (first.code() == Code.FIRST_RUN_OF_OTHERS
                                    ? ""
                                    : " What " + file.getFileName() + " made is kept: deepsite status " + file));
        }
    }

    private SiteContext open() {
        var loaded = runtime.kinds().loader().load(file, Map.of());
        refuseOthers(file, loaded.orFail(), runtime);
        return SiteContext.of(file, loaded, runtime);
    }

    private void well(SiteContext context, Plan plan, ApplyOptions options, Cancel cancel) {
        var result = new ApplyOperation(context, plan, options, _ -> {}, cancel, Optional.of(of)).run();
        if (result.cancelled()) {
            throw new Failure(Diagnostic.error(Code.CANCELLED, "The first run was stopped.", ""));
        }
        if (result.exit() != ExitCode.DONE) {
            throw new Failure(result.diagnostics());
        }
    }

    private CheckResult result(Verdict outcome, Instant start, String message) {
        var took = Duration.between(start, runtime.clock().instant());
        return new CheckResult(
                cluster.value(), "first-run", outcome, Optional.empty(), took.toMillis() / 1000.0, message);
    }
}
