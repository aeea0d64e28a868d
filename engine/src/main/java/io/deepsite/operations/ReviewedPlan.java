package io.deepsite.operations;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.PlanReview;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import io.deepsite.plan.Change;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.provider.Machine;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.site.load.LoadResult;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What kinds of clusters see of a plan before it is shown.
 *
 * @param answers of the hosts, by host
 */
record ReviewedPlan(Plan plan, Map<String, ProbeAnswer> answers, LoadResult loaded) implements PlanReview {

    /** @throws Failure with all that refuses the plan; the rest is told */
    void review(ClusterKinds kinds, Consumer<Diagnostic> notices) {
        var site = loaded.orFail();
        var found = site.clusters().entrySet().stream()
                .flatMap(cluster -> kinds.of(site, cluster.getKey(), cluster.getValue()).review(this).stream())
                .toList();
        if (found.stream().anyMatch(Diagnostic::isError)) {
            throw new Failure(found);
        }
        found.forEach(notices);
    }

    @Override
    public List<Machine> machines() {
        return List.copyOf(plan.machines().values());
    }

    @Override
    public Set<String> made() {
        return changed(Set.of(Change.CREATE, Change.REPLACE));
    }

    @Override
    public Set<String> replaced() {
        return changed(Set.of(Change.REPLACE));
    }

    private Set<String> changed(Set<Change> changes) {
        return plan.steps().stream()
                .filter(step -> changes.contains(step.change()))
                .filter(step -> step instanceof Step.OfResource resource && resource.isMachine())
                .map(step -> ((Step.OfResource) step).host())
                .collect(Collectors.toSet());
    }

    @Override
    public SortedMap<String, String> printed(String probe) {
        var printed = new TreeMap<String, String>();
        answers.forEach((host, answer) -> {
            var seen = answer.items().get("probe:" + probe);
            if (seen != null && seen.unknown().isEmpty() && seen.text("rc").equals("0")) {
                printed.put(host, seen.text("stdout"));
            }
        });
        return printed;
    }

    @Override
    public Where where(String path) {
        return loaded.where(path);
    }
}
