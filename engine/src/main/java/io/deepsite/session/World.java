package io.deepsite.session;

import io.deepsite.apply.Access;
import io.deepsite.contract.Contract;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Closing;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Precondition;
import io.deepsite.plan.Step;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.remote.HostProbe;
import io.deepsite.remote.ProbeAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Compares what a plan was made from with what is there now, before anything is touched. */
final class World {
    private final Access access;
    private final Looking looking;
    private final Closing closing;

    World(Access access, Looking looking, Closing closing) {
        this.access = access;
        this.looking = looking;
        this.closing = closing;
    }

    /** @throws Failure WORLD_MOVED with everything that moved */
    void refuseWhenMoved(Plan plan, List<ObservedResource> owned) {
        var moved = new ArrayList<String>();
        resources(plan, owned, moved);
        hosts(plan, moved);
        if (!moved.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.WORLD_MOVED,
                    "Since the plan was made, this changed: " + String.join(", ", moved) + ". Nothing was touched.",
                    "Make the plan again and look at it:",
                    "deepsite plan"));
        }
    }

    private static void resources(Plan plan, List<ObservedResource> owned, List<String> moved) {
        var now = new TreeMap<ResourceId, ObservedResource>();
        owned.forEach(seen -> now.put(seen.id(), seen));
        for (var step : plan.steps()) {
            if (step instanceof Step.OfResource resource) {
                var id = resource.desired()
                        .map(desired -> desired.id())
                        .or(() -> resource.seen().map(ObservedResource::id))
                        .orElseThrow();
                var before = resource.seen().map(ObservedResource::version);
                var after = Optional.ofNullable(now.get(id)).map(ObservedResource::version);
                if (!before.equals(after)) {
                    moved.add(id.toString());
                }
            }
        }
    }

    private void hosts(Plan plan, List<String> moved) {
        var contracts = new TreeMap<String, List<Contract>>();
        for (var step : plan.steps()) {
            if (step instanceof Step.OfRole role && role.precondition().isPresent()) {
                contracts.computeIfAbsent(role.host(), _ -> new ArrayList<>()).add(role.contract());
            }
        }
        var looks = plan.machines().values().stream()
                .filter(machine -> contracts.containsKey(machine.name()))
                .map(machine -> new HostProbe.Look(
                        access.target(machine, plan.machines()), contracts.getOrDefault(machine.name(), List.of())))
                .toList();
        var answers = looks.isEmpty() ? Map.<String, ProbeAnswer>of() : looking.answers(looks);
        for (var step : plan.steps()) {
            if (step instanceof Step.OfRole role && role.precondition().isPresent()) {
                var answer = answers.get(role.host());
                if (answer == null
                        || !Precondition.of(role.contract(), answer, closing)
                                .equals(role.precondition().get())) {
                    moved.add(role.role() + " on " + role.host());
                }
            }
        }
    }
}
