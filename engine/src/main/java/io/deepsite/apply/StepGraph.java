package io.deepsite.apply;

import io.deepsite.plan.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which steps of a run can begin: those whose needs have ended, successfully or not. Work grows with the edges of the plan.
 * Used by one thread.
 */
final class StepGraph {
    /** By step or barrier, what waits for it. */
    private final Map<String, List<Step>> dependents = new HashMap<>();

    private final Map<String, List<String>> barriersOf;
    private final Map<String, Integer> membersLeft = new HashMap<>();
    private final Map<String, Set<String>> waitingFor = new HashMap<>();

    /** @param steps of this run; what they wait for beyond these has ended */
    StepGraph(Collection<? extends Step> steps, Waits waits) {
        var barriers = waits.barriers();
        var ids = new HashSet<String>();
        steps.forEach(step -> ids.add(step.id()));
        barriersOf = barriers.byStep();
        barriers.steps().forEach((barrier, members) -> {
            int left = (int) members.stream().filter(ids::contains).count();
            if (left > 0) {
                membersLeft.put(barrier, left);
            }
        });
        for (var step : steps) {
            var needs = new HashSet<String>();
            waits.of(step)
                    .filter(need -> ids.contains(need) || membersLeft.containsKey(need))
                    .forEach(needs::add);
            needs.forEach(need ->
                    dependents.computeIfAbsent(need, _ -> new ArrayList<>()).add(step));
            waitingFor.put(step.id(), needs);
        }
    }

    boolean isReady(Step step) {
        return waitingFor.getOrDefault(step.id(), Set.of()).isEmpty();
    }

    /** Whether the step waits for nothing but some of these. */
    boolean waitsOnlyFor(Step step, Set<String> ids) {
        return ids.containsAll(waitingFor.getOrDefault(step.id(), Set.of()));
    }

    /** Returns the steps that can begin now because this one has ended. */
    Collection<Step> ended(Step step) {
        var ready = new LinkedHashSet<Step>();
        release(step.id(), ready);
        for (var barrier : barriersOf.getOrDefault(step.id(), List.of())) {
            if (membersLeft.merge(barrier, -1, Integer::sum) == 0) {
                release(barrier, ready);
            }
        }
        return ready;
    }

    private void release(String need, Collection<Step> ready) {
        for (var dependent : dependents.getOrDefault(need, List.of())) {
            var left = waitingFor.get(dependent.id());
            if (left != null && left.remove(need) && left.isEmpty()) {
                ready.add(dependent);
            }
        }
    }
}
