package io.deepsite.plan;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.contract.Unknowns;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A plan after its machines exist: unknowns are filled in, and nothing else differs. It holds no secret. */
public final class ResolvedPlan {
    private ResolvedPlan() {}

    /** @throws Failure FACT_MISSING with every needed fact that is unknown */
    public static Plan of(Plan plan, UnknownResolver resolver) {
        var missing = missing(plan.steps(), resolver);
        if (!missing.isEmpty()) {
            throw new Failure(missing);
        }
        return plan.withSteps(plan.steps().stream()
                .map(step -> step instanceof Step.OfRole role ? closed(role, plan, resolver) : step)
                .toList());
    }

    /** A step of the plan without unknowns; none of its facts may be missing. */
    public static Step.OfRole closed(Step.OfRole step, Plan plan, UnknownResolver resolver) {
        return step.closed(
                resolver.recorded(step.contract(), plan.contents()),
                resolver.fingerprint(step.contract(), step.fingerprint(), plan.contents()));
    }

    /** One diagnostic for each fact that these steps need and that is unknown. */
    public static List<Diagnostic> missing(Collection<? extends Step> steps, UnknownResolver resolver) {
        var needed = new TreeMap<String, SortedMap<String, TreeSet<String>>>();
        for (var step : steps) {
            if (step instanceof Step.OfRole role) {
                unknowns(role.contract())
                        .forEach(need -> resolver.missingFacts(need.unknowns())
                                .forEach(unknown -> needed.computeIfAbsent(
                                                unknown.fact() + " of " + unknown.machine(), _ -> new TreeMap<>())
                                        .computeIfAbsent(need.name(), _ -> new TreeSet<>())
                                        .add(role.host())));
            }
        }
        return needed.entrySet().stream()
                .map(fact -> Diagnostic.error(
                        Code.FACT_MISSING,
                        "The " + fact.getKey() + " is unknown, but needed by "
                                + fact.getValue().entrySet().stream()
                                        .map(need -> need.getKey() + " on " + hosts(need.getValue()))
                                        .collect(Collectors.joining(", "))
                                + ". What needs it was not configured.",
                        "Check that machine; apply resumes from here:",
                        "deepsite apply"))
                .toList();
    }

    /** What a role of a step needs to know of machines. */
    public static Stream<Item.Unknown> unknowns(Step.OfRole step) {
        return unknowns(step.contract()).stream().flatMap(need -> need.unknowns().stream());
    }

    private static String hosts(SortedSet<String> hosts) {
        return hosts.size() == 1 ? hosts.getFirst() : hosts.size() + " hosts";
    }

    private record Need(String name, List<Item.Unknown> unknowns) {}

    private static List<Need> unknowns(Contract contract) {
        var needs = new ArrayList<Need>();
        contract.items().forEach(item -> needs.add(new Need(item.id(), Unknowns.in(item))));
        contract.actions().forEach(action -> needs.add(new Need("action:" + action.id(), Unknowns.in(action))));
        return needs;
    }
}
