package io.deepsite.apply;

import io.deepsite.plan.Barriers;
import io.deepsite.plan.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Groups the steps inside hosts by play. Steps of one stage that wait for a drain form a play of their own: a node with
 * long jobs delays only what depends on it.
 */
final class Plays {
    /** How many plays of each name the run has so far: each needs a log of its own. */
    private final Map<String, Integer> names = new HashMap<>();

    private final Barriers barriers;

    Plays(Barriers barriers) {
        this.barriers = barriers;
    }

    List<GraphScheduler.Group<Step>> of(List<Step> steps) {
        var byId = steps.stream().collect(Collectors.toMap(Step::id, step -> step));
        var drains = new HashMap<String, Set<String>>();
        var plays = new LinkedHashMap<List<Object>, List<Step>>();
        for (var step : steps) {
            Set<String> behind = step instanceof Step.OfRole ? drains(step, byId, drains) : Set.of();
            plays.computeIfAbsent(List.of(Configuration.play(step), behind), _ -> new ArrayList<>())
                    .add(step);
        }
        return plays.values().stream()
                .map(together -> group(name(Configuration.play(together.getFirst())), together))
                .toList();
    }

    GraphScheduler.Group<Step> group(String name, List<Step> steps) {
        return new GraphScheduler.Group<>(
                name,
                steps,
                steps.stream().map(Step::id).collect(Collectors.toSet()),
                steps.stream()
                        .flatMap(step -> step.needs().stream())
                        .distinct()
                        .flatMap(barriers::stepsOf)
                        .collect(Collectors.toSet()));
    }

    private String name(String play) {
        int times = names.merge(play, 1, Integer::sum);
        return times == 1 ? play : play + "-" + times;
    }

    /** Plays before a machine's deletion that the step needs, directly or indirectly. */
    private Set<String> drains(Step step, Map<String, Step> byId, Map<String, Set<String>> known) {
        var drains = new TreeSet<String>();
        step.needs().forEach(need -> drains.addAll(drains(need, byId, known)));
        return drains;
    }

    private Set<String> drains(String need, Map<String, Step> byId, Map<String, Set<String>> known) {
        var found = known.get(need);
        if (found != null) {
            return found;
        }
        var drains = new TreeSet<String>();
        barriers.stepsOf(need).map(byId::get).filter(Objects::nonNull).forEach(other -> {
            drains.addAll(drains(other, byId, known));
            if (other instanceof Step.Leave leave && leave.machineGoes()) {
                drains.add(Configuration.play(leave));
            }
        });
        known.put(need, drains);
        return drains;
    }
}
