package io.deepsite.cluster.mesos;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.Name;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What Chronos does not check. A job whose parents do not all exist is accepted, and dropped a moment later; a circle of
 * parents ends Chronos each time it starts. Source: Chronos 3.0.2, DependentJobResource, JobScheduler.registerJobs and
 * mainLoop.
 */
final class JobParents {
    private JobParents() {}

    /**
     * @param jobs as Chronos lists them
     * @throws Failure WORK_REFUSED
     */
    static void check(Work work, List<JsonNode> jobs) {
        Map<String, List<String>> parents = new HashMap<>();
        for (var job : jobs) {
            parents.put(
                    job.path("name").asString(""),
                    job.path("parents")
                            .valueStream()
                            .map(parent -> parent.asString(""))
                            .toList());
        }
        var asked = work.parents().stream().map(Name::value).toList();
        var missing =
                asked.stream().filter(parent -> !parents.containsKey(parent)).toList();
        if (!missing.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.WORK_REFUSED,
                    "Chronos has no job " + String.join(" and no job ", missing) + ", after which " + work.name()
                            + " is to run. It would accept " + work.name()
                            + ", then drop it and report nothing. Nothing was sent.",
                    "Give it the parents first, or correct parents:."));
        }
        var seen = new HashSet<String>();
        var open = new ArrayDeque<>(asked);
        while (!open.isEmpty()) {
            var next = open.pop();
            if (next.equals(work.name().value())) {
                throw new Failure(Diagnostic.error(
                        Code.WORK_REFUSED,
                        "One of the parents of " + work.name() + " is to run after " + work.name()
                                + " itself. Nothing was sent.",
                        "Name parents that do not depend on it."));
            }
            if (seen.add(next)) {
                open.addAll(parents.getOrDefault(next, List.of()));
            }
        }
    }
}
