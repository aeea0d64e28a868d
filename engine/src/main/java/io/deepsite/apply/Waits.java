package io.deepsite.apply;

import io.deepsite.contract.Item;
import io.deepsite.plan.Barriers;
import io.deepsite.plan.Change;
import io.deepsite.plan.Plan;
import io.deepsite.plan.ResolvedPlan;
import io.deepsite.plan.Step;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a step waits for: what it needs, and what must not run beside it. It does not matter how the latter ends.
 */
final class Waits {
    private static final String CHANGED = "changed-resources@*";

    private final Barriers barriers;
    /** Changes of machines by host, but for deletions. */
    private final Map<String, String> machineSteps = new HashMap<>();

    private final Set<String> beforeResources;

    Waits(Plan plan, Collection<? extends Step> steps) {
        // Hosts may lose their network for a moment.
        var changed = steps.stream()
                .filter(step -> step instanceof Step.OfResource resource
                        && !resource.isMachine()
                        && (step.change() == Change.UPDATE || step.change() == Change.REPLACE))
                .map(Step::id)
                .toList();
        var all = new TreeMap<>(plan.barriers().steps());
        all.put(CHANGED, changed);
        barriers = new Barriers(all);
        for (var step : steps) {
            if (step instanceof Step.OfResource resource && resource.isMachine()) {
                machineSteps.put(ResourceRun.subject(resource), step.id());
            }
        }
        beforeResources = beforeResources(plan, steps);
    }

    Barriers barriers() {
        return barriers;
    }

    /** Ids of steps and barriers. */
    Stream<String> of(Step step) {
        return switch (step) {
            case Step.OfResource _ -> step.needs().stream();
            case Step.OfRole role ->
                Stream.of(
                                role.needs().stream(),
                                Stream.of(CHANGED),
                                Stream.concat(ResolvedPlan.unknowns(role).map(Item.Unknown::machine), named(role))
                                        .map(machineSteps::get)
                                        .filter(Objects::nonNull))
                        .flatMap(each -> each);
            case Step.Leave leave when beforeResources.contains(leave.id()) -> leave.needs().stream();
            case Step.Leave leave ->
                Stream.of(leave.needs().stream(), Stream.of(CHANGED), Stream.ofNullable(machineSteps.get(leave.host())))
                        .flatMap(each -> each);
        };
    }

    /** Hosts that the actions of a step may delegate tasks to, among other words: whatever their arguments name. */
    static Stream<String> named(Step step) {
        var contract = switch (step) {
            case Step.OfRole role -> role.contract();
            case Step.Leave leave -> leave.contract();
            case Step.OfResource resource -> throw new IllegalArgumentException(resource.id() + " has no contract");
        };
        return contract.actions().stream()
                .flatMap(action -> action.with().values().stream())
                .flatMap(Waits::words);
    }

    private static Stream<String> words(Object argument) {
        return switch (argument) {
            case String word -> Stream.of(word);
            case Collection<?> all -> all.stream().flatMap(Waits::words);
            case Map<?, ?> all -> all.values().stream().flatMap(Waits::words);
            default -> Stream.of();
        };
    }

    /** Removals that resources wait for: what to undo on a machine before it is replaced, with what this needs. */
    private static Set<String> beforeResources(Plan plan, Collection<? extends Step> steps) {
        var byId = new HashMap<String, Step>();
        steps.forEach(step -> byId.put(step.id(), step));
        var found = new HashSet<String>();
        var open = new HashSet<>(steps.stream()
                .filter(Step.OfResource.class::isInstance)
                .flatMap(step -> step.needs().stream())
                .toList());
        while (!open.isEmpty()) {
            var next = new HashSet<String>();
            open.stream().flatMap(plan.barriers()::stepsOf).forEach(id -> {
                if (byId.get(id) instanceof Step.Leave leave && found.add(id)) {
                    next.addAll(leave.needs());
                }
            });
            open = next;
        }
        return Set.copyOf(found);
    }
}
