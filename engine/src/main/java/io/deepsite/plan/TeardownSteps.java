package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.state.RecordedRole;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Removals from hosts: roles, actions that a role no longer has, and what is undone before a machine is deleted. */
final class TeardownSteps {
    private final Planner.Input in;
    private final Map<String, Step.OfResource> machineSteps;
    private final Applied contracts;
    private final Barriers.Builder barriers;
    private final Map<String, Stage> stages;
    private final List<Step.Leave> steps = new ArrayList<>();
    private final Map<String, List<Step.Leave>> byHost;
    private final List<Drain> drains;
    private final Map<List<String>, Set<String>> prerequisites = new HashMap<>();

    /**
     * Removals before their machine's deletion that wait for, and hold back, the same.
     *
     * @param needs stages that the role needed when it was applied
     * @param own all stages of such a machine
     */
    private record Drain(String barrier, List<String> needs, Set<String> own, List<String> ids) {}

    /**
     * @param stages those that are wanted, by name
     * @param machineSteps by host
     */
    TeardownSteps(
            Planner.Input in,
            Map<String, Stage> stages,
            Map<String, Step.OfResource> machineSteps,
            Applied contracts,
            Barriers.Builder barriers) {
        this.in = in;
        this.contracts = contracts;
        this.machineSteps = machineSteps;
        this.barriers = barriers;
        this.stages = stages;
        find();
        // Dependents are removed first: a node is drained while its controller still runs.
        var dependents = new HashMap<String, Set<String>>();
        steps.forEach(step -> recordedNeeds(step)
                .forEach(stage ->
                        dependents.computeIfAbsent(stage, _ -> new TreeSet<>()).add(step.id())));
        steps.replaceAll(step -> step.withNeeds(
                barriers.over("before-leaving." + step.stage(), dependents.getOrDefault(step.stage(), Set.of()))));
        byHost = steps.stream().collect(Collectors.groupingBy(Step.Leave::host));
        drains = drains();
    }

    private List<Drain> drains() {
        var alike = new LinkedHashMap<List<Object>, List<Step.Leave>>();
        steps.stream()
                .filter(Step.Leave::machineGoes)
                .forEach(leave -> alike.computeIfAbsent(
                                List.of(leave.role(), recordedNeeds(leave), recordedStages(leave.host())),
                                _ -> new ArrayList<>())
                        .add(leave));
        var names = new HashMap<String, Integer>();
        return alike.values().stream()
                .map(leaves -> {
                    var first = leaves.getFirst();
                    int times = names.merge(first.role(), 1, Integer::sum);
                    return new Drain(
                            "leave." + first.role() + (times == 1 ? "" : "-" + times),
                            recordedNeeds(first),
                            recordedStages(first.host()),
                            leaves.stream().map(Step.Leave::id).toList());
                })
                .toList();
    }

    List<Step.Leave> steps() {
        return List.copyOf(steps);
    }

    /** Steps of this kind that must end before a role is applied to a host. */
    List<String> before(Stage stage, String host) {
        return before(host, drain -> dependsOn(drain, stage, host));
    }

    /**
     * What must be undone before a machine is deleted: on it, and on others that are removed and need it to undo their
     * actions.
     */
    List<String> beforeMachine(String host) {
        var there = recordedStages(host);
        return before(host, drain -> needsHost(drain, there));
    }

    private List<String> before(String host, Predicate<Drain> waitsFor) {
        return Stream.concat(
                        on(host).map(Step::id),
                        drains.stream()
                                .filter(waitsFor)
                                .flatMap(drain -> barriers.over(drain.barrier, drain.ids).stream()))
                .toList();
    }

    private Stream<Step.Leave> on(String host) {
        return byHost.getOrDefault(host, List.of()).stream();
    }

    /** Actions that are undone before a machine restarts, and so must run again after it. */
    Set<String> undoneBefore(String host, String role) {
        return on(host).filter(Step.Leave::machineGoes)
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
        boolean othersStay = stages.containsKey(applied.stage());
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
                .filter(stage -> stage.runsOn(host))
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

    /**
     * Whether the removed role depends on this stage: directly, on whatever host it runs (a node leaves the queue
     * before the controller forgets it), or indirectly on the same hosts. Other clusters do not wait for a drain.
     */
    private boolean dependsOn(Drain drain, Stage stage, String host) {
        return drain.needs.contains(stage.name())
                || (prerequisites
                                .computeIfAbsent(drain.needs, this::withPrerequisites)
                                .contains(stage.name())
                        && drain.needs.stream().anyMatch(name -> runsOn(name, host)));
    }

    /** It depends on a stage of that host and not of its own: the controller drains a node. */
    private static boolean needsHost(Drain drain, Set<String> there) {
        return drain.needs.stream().anyMatch(stage -> there.contains(stage) && !drain.own.contains(stage));
    }

    private Set<String> recordedStages(String host) {
        var recorded = in.state().hosts().get(host);
        return recorded == null
                ? Set.of()
                : recorded.roles().values().stream().map(RecordedRole::stage).collect(Collectors.toSet());
    }

    private Set<String> withPrerequisites(List<String> direct) {
        var all = new TreeSet<String>();
        var open = new ArrayList<>(direct);
        while (!open.isEmpty()) {
            var name = open.removeLast();
            if (all.add(name)) {
                Optional.ofNullable(stages.get(name)).ifPresent(stage -> open.addAll(stage.needs()));
            }
        }
        return all;
    }

    private boolean runsOn(String stage, String host) {
        var other = stages.get(stage);
        return other != null && other.runsOn(host);
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
