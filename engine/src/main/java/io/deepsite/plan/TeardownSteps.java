package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.state.RecordedRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Removals from hosts: roles, actions that a role no longer has, and what is undone before a machine is deleted. */
final class TeardownSteps {
    private final Planner.Input in;
    private final Map<String, Step.OfResource> machineSteps;
    private final Applied contracts;
    private final List<Step.Leave> steps = new ArrayList<>();

    /** @param machineSteps by host */
    TeardownSteps(Planner.Input in, Map<String, Step.OfResource> machineSteps, Applied contracts) {
        this.in = in;
        this.contracts = contracts;
        this.machineSteps = machineSteps;
        find();
        // Dependents are removed first: a node is drained while its controller still runs.
        var found = List.copyOf(steps);
        steps.replaceAll(step -> step.withNeeds(standingOn(step.stage(), found)));
    }

    List<Step.Leave> steps() {
        return List.copyOf(steps);
    }

    /** Steps of this kind that must end before a role is applied to a host. */
    List<String> before(Stage stage, String host) {
        return steps.stream()
                .filter(leave -> leave.host().equals(host) || (leave.machineGoes() && dependsOn(leave, stage, host)))
                .map(Step::id)
                .toList();
    }

    /**
     * What must be undone before a machine is deleted: on it, and on others that are removed and need it to undo their
     * actions.
     */
    List<String> beforeMachine(String host) {
        return steps.stream()
                .filter(leave -> leave.host().equals(host) || (leave.machineGoes() && needsHost(leave, host)))
                .map(Step::id)
                .toList();
    }

    /** Actions that are undone before a machine restarts, and so must run again after it. */
    Set<String> undoneBefore(String host, String role) {
        return steps.stream()
                .filter(leave -> leave.machineGoes() && leave.host().equals(host))
                .filter(leave -> leave.role().equals(role))
                .flatMap(leave -> leave.contract().actions().stream())
                .map(Action::id)
                .collect(Collectors.toSet());
    }

    /** Completed actions that the role no longer has and that have no undo: shown in the plan. */
    List<ActionChange> staying(Contract wanted, RecordedRole applied) {
        return droppedActions(wanted, applied)
                .filter(action -> !undoable(wanted.role(), action))
                .map(action -> stays(wanted.role(), action))
                .toList();
    }

    private void find() {
        in.state().hosts().forEach((host, recorded) -> {
            var step = machineSteps.get(host);
            var change = step == null ? Change.NONE : step.change();
            boolean goes = change == Change.DELETE || change == Change.REPLACE;
            if (Planner.observed(in, host).isEmpty() || change == Change.CREATE) {
                // The host cannot be probed, or its content was lost with an earlier machine.
                return;
            }
            var wanted = wantedRoles(host);
            recorded.roles().forEach((role, applied) -> {
                var contract = contracts.contract(applied);
                if (goes) {
                    withMachine(host, contract, applied, change);
                } else if (wanted.containsKey(role)) {
                    if (step != null && step.restarts()) {
                        withMachine(host, contract, applied, change);
                    }
                    dropped(host, contract, wanted.get(role), applied);
                } else {
                    whole(host, contract, applied);
                }
            });
        });
    }

    private void withMachine(String host, Contract contract, RecordedRole applied, Change change) {
        var undone = done(contract, applied)
                .filter(action -> action.onDelete() && undoable(contract.role(), action))
                .toList();
        // If the whole cluster is removed, no other machine needs a graceful leave.
        boolean othersStay =
                in.desired().stages().stream().anyMatch(stage -> stage.name().equals(applied.stage()));
        if (othersStay && !undone.isEmpty()) {
            add(
                    Step.Leave.Extent.MACHINE,
                    switch (change) {
                        case REPLACE -> "the machine is replaced";
                        case UPDATE -> "the machine is restarted";
                        case CREATE, DELETE, RELEASE, NONE -> "the machine is deleted";
                    },
                    host,
                    applied,
                    new Contract(contract.role(), host, contract.items(), undone),
                    List.of(),
                    undone.stream().map(TeardownSteps::undone).toList());
        }
    }

    private void whole(String host, Contract contract, RecordedRole applied) {
        var others = wantedItems(host);
        var done = done(contract, applied).toList();
        add(
                Step.Leave.Extent.ROLE,
                "no longer wanted",
                host,
                applied,
                new Contract(
                        contract.role(),
                        host,
                        contract.items(),
                        done.stream()
                                .filter(action -> undoable(contract.role(), action))
                                .toList()),
                contract.items().stream()
                        .filter(item -> !others.contains(item.id()))
                        .toList(),
                done.stream()
                        .map(action ->
                                undoable(contract.role(), action) ? undone(action) : stays(contract.role(), action))
                        .toList());
    }

    /** A newer deepsite, or a changed site, whose role has fewer actions. */
    private void dropped(String host, Contract contract, Contract wanted, RecordedRole applied) {
        var undone = droppedActions(wanted, applied)
                .filter(action -> undoable(contract.role(), action))
                .toList();
        if (!undone.isEmpty()) {
            add(
                    Step.Leave.Extent.ACTIONS,
                    "the role stays, without some of its actions",
                    host,
                    applied,
                    new Contract(contract.role(), host, List.of(), undone),
                    List.of(),
                    undone.stream().map(TeardownSteps::undone).toList());
        }
    }

    /** @param items to remove; without those of another role */
    private void add(
            Step.Leave.Extent extent,
            String reason,
            String host,
            RecordedRole applied,
            Contract contract,
            List<Item> items,
            List<ActionChange> actions) {
        var touched = new Contract(contract.role(), host, items, contract.actions());
        var changes = leaving(items);
        steps.add(new Step.Leave(
                RoleSteps.stepId((extent == Step.Leave.Extent.ACTIONS ? "undo." : "leave.") + contract.role(), host),
                List.of(),
                reason,
                applied.stage(),
                host,
                contract,
                extent,
                changes,
                actions,
                Planner.observed(in, host).map(seen -> Precondition.of(touched, seen, in.resolver()))));
    }

    /**
     * The changes of removed items. Groups stay, since files may belong to them; packages too, unless their removal was
     * requested; a probe needs no removal.
     */
    List<ItemChange> leaving(List<Item> items) {
        return items.stream()
                .filter(item -> !(item instanceof Item.Probe))
                .map(item -> new ItemChange(
                        item.id(), stays(item) ? Change.NONE : Change.DELETE, List.of(), Optional.empty()))
                .toList();
    }

    private boolean stays(Item item) {
        return item instanceof Item.Group
                || (item instanceof Item.DebianPackage asked && !(asked.present() && in.removePackages()));
    }

    private static Stream<Action> done(Contract contract, RecordedRole applied) {
        return contract.actions().stream()
                .filter(action -> applied.actionsDone().contains(action.id()));
    }

    private Stream<Action> droppedActions(Contract wanted, RecordedRole applied) {
        var kept = wanted.actions().stream().map(Action::id).toList();
        return done(contracts.contract(applied), applied).filter(action -> !kept.contains(action.id()));
    }

    /** Whether it has an undo, and this deepsite still has its tasks. */
    private boolean undoable(String role, Action action) {
        return action.undo()
                .filter(file -> in.tasks().contains(role + "/" + file))
                .isPresent();
    }

    private static ActionChange undone(Action action) {
        return new ActionChange(action.id(), Change.DELETE, action.does(), action.blast());
    }

    private ActionChange stays(String role, Action action) {
        var why = action.whyNoUndo()
                .orElseGet(() -> "this deepsite has no tasks that undo it; version "
                        + in.state().toolVersion() + ", which applied the role " + role + ", had them");
        return new ActionChange(action.id(), Change.NONE, "stays: " + why, Action.Impact.NOTHING);
    }

    private Map<String, Contract> wantedRoles(String host) {
        return in.desired().stages().stream()
                .filter(stage -> stage.hosts().contains(host))
                .map(stage -> in.desired().contract(stage, host).contract())
                .collect(Collectors.toMap(Contract::role, contract -> contract, (one, _) -> one));
    }

    /** Ids of all items that the host's roles want. */
    Set<String> wantedItems(String host) {
        return wantedRoles(host).values().stream()
                .flatMap(contract -> contract.items().stream())
                .map(Item::id)
                .collect(Collectors.toSet());
    }

    private List<String> standingOn(String stage, List<Step.Leave> leaves) {
        return leaves.stream()
                .filter(other -> recordedNeeds(other).contains(stage))
                .map(Step.Leave::id)
                .sorted()
                .toList();
    }

    /**
     * Whether the removed role depends on this stage: directly, on whatever host it runs (a node leaves the queue
     * before the controller forgets it), or indirectly on the same hosts. Other clusters do not wait for a drain.
     */
    private boolean dependsOn(Step.Leave leave, Stage stage, String host) {
        var direct = recordedNeeds(leave);
        return direct.contains(stage.name())
                || (withPrerequisites(direct).contains(stage.name())
                        && direct.stream().anyMatch(name -> runsOn(name, host)));
    }

    /** It depends on a stage of that host and not of its own: the controller drains a node. */
    private boolean needsHost(Step.Leave leave, String host) {
        var own = recordedStages(leave.host());
        var there = recordedStages(host);
        return recordedNeeds(leave).stream().anyMatch(stage -> there.contains(stage) && !own.contains(stage));
    }

    private Set<String> recordedStages(String host) {
        var recorded = in.state().hosts().get(host);
        return recorded == null
                ? Set.of()
                : recorded.roles().values().stream().map(RecordedRole::stage).collect(Collectors.toSet());
    }

    private Set<String> withPrerequisites(List<String> stages) {
        var all = new TreeSet<String>();
        var open = new ArrayList<>(stages);
        while (!open.isEmpty()) {
            var name = open.removeLast();
            if (all.add(name)) {
                in.desired().stages().stream()
                        .filter(stage -> stage.name().equals(name))
                        .forEach(stage -> open.addAll(stage.needs()));
            }
        }
        return all;
    }

    private boolean runsOn(String stage, String host) {
        return in.desired().stages().stream()
                .anyMatch(other -> other.name().equals(stage) && other.hosts().contains(host));
    }

    private List<String> recordedNeeds(Step.Leave leave) {
        var role = recorded(leave.host(), leave.role());
        return role == null ? List.of() : role.needs();
    }

    private @Nullable RecordedRole recorded(String host, String role) {
        var recorded = in.state().hosts().get(host);
        return recorded == null ? null : recorded.roles().get(role);
    }
}
