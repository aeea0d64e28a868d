package io.deepsite.operations;

import io.deepsite.apply.Access;
import io.deepsite.contract.Contract;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Change;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Precondition;
import io.deepsite.plan.Step;
import io.deepsite.plan.UnknownResolver;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.remote.HostProbe;
import io.deepsite.remote.SshTarget;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Compares what a plan was made from with what is there now, before anything is touched. */
final class StalenessCheck {
    private final Access access;
    private final HostInspector inspector;
    private final UnknownResolver resolver;

    StalenessCheck(Access access, HostInspector inspector, UnknownResolver resolver) {
        this.access = access;
        this.inspector = inspector;
        this.resolver = resolver;
    }

    /** @throws Failure CHANGED_SINCE_PLAN with everything that moved */
    void refuseWhenMoved(Plan plan, List<ObservedResource> owned, SiteState state) {
        var moved = new ArrayList<>(resources(plan, owned));
        hosts(plan, state, moved);
        if (!moved.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.CHANGED_SINCE_PLAN,
                    "Since the plan was made, this changed: " + String.join(", ", moved) + ". Nothing was touched.",
                    "Make the plan again and look at it:",
                    "deepsite plan"));
        }
    }

    /** @return ids of resources that are no longer as the plan saw them */
    static List<String> resources(Plan plan, List<ObservedResource> owned) {
        var moved = new ArrayList<String>();
        var now = new TreeMap<ResourceId, ObservedResource>();
        owned.forEach(seen -> now.put(seen.id(), seen));
        for (var step : plan.steps()) {
            if (step instanceof Step.OfResource resource) {
                var id = resource.desired()
                        .map(desired -> desired.id())
                        .or(() -> resource.seen().map(ObservedResource::id))
                        .orElseThrow();
                if (isMoved(resource, Optional.ofNullable(now.get(id)))) {
                    moved.add(id.toString());
                }
            }
        }
        return moved;
    }

    /**
     * A back-end continues what a killed run asked for, and takes back what it cannot finish. Whatever stage that is in, a
     * create finishes it and a delete ends it, so half made and not there are equal; and a create leaves alone what the
     * back-end has finished meanwhile.
     */
    private static boolean isMoved(Step.OfResource step, Optional<ObservedResource> now) {
        var before = step.seen();
        boolean finished = step.change() == Change.CREATE && before.isPresent() && isSameObject(before.get(), now);
        return !(isUnfinished(before) && (isUnfinished(now) || finished))
                && !before.map(ObservedResource::version).equals(now.map(ObservedResource::version));
    }

    private static boolean isSameObject(ObservedResource before, Optional<ObservedResource> now) {
        return now.filter(seen -> seen.handle().equals(before.handle())
                        && seen.name().equals(before.name())
                        && seen.tags().sameState(before.tags()))
                .isPresent();
    }

    private static boolean isUnfinished(Optional<ObservedResource> seen) {
        return seen.map(ObservedResource::condition)
                .orElse(ObservedResource.Condition.HALF_MADE)
                .equals(ObservedResource.Condition.HALF_MADE);
    }

    private void hosts(Plan plan, SiteState state, List<String> moved) {
        var conditions =
                plan.steps().stream().flatMap(StalenessCheck::condition).toList();
        var contracts = new TreeMap<String, List<Contract>>();
        conditions.forEach(one ->
                contracts.computeIfAbsent(one.host(), _ -> new ArrayList<>()).add(one.contract()));
        var looks = new ArrayList<HostProbe.Look>();
        contracts.forEach((host, held) ->
                target(plan, state, host).ifPresent(target -> looks.add(new HostProbe.Look(target, held))));
        var answers = inspector.looked(looks).orFail(_ -> false).answers();
        for (var one : conditions) {
            var answer = answers.get(one.host());
            if (answer == null
                    || !Precondition.of(one.contract(), answer, resolver).equals(one.seen())) {
                moved.add(one.contract().role() + " on " + one.host());
            }
        }
    }

    /** What a step was planned upon. */
    private record Condition(String host, Contract contract, String seen) {}

    private static Stream<Condition> condition(Step step) {
        return switch (step) {
            case Step.OfResource _ -> Stream.empty();
            case Step.OfRole role ->
                role.precondition().map(seen -> new Condition(role.host(), role.contract(), seen)).stream();
            case Step.Leave leave ->
                leave.precondition().map(seen -> new Condition(leave.host(), leave.touched(), seen)).stream();
        };
    }

    /** A host that goes is no machine of the plan any more. */
    private Optional<SshTarget> target(Plan plan, SiteState state, String host) {
        var machine = plan.machines().get(host);
        if (machine != null) {
            return Optional.of(access.target(machine, plan.machines()));
        }
        return state.hosts().containsKey(host) ? Optional.of(access.target(host, state.hosts())) : Optional.empty();
    }
}
