package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.state.RecordedRole;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes inside hosts: roles to apply, and roles to leave. */
final class RoleSteps {
    private final Planner.Input in;
    private final Map<String, Step.OfResource> machineSteps = new TreeMap<>();
    private final ItemChanges changes;
    private final Applied applied = new Applied();
    private final TeardownSteps leaves;
    private final List<Step> steps = new ArrayList<>();
    private final Barriers.Builder barriers = new Barriers.Builder();
    private final Map<String, Stage> stages;
    private final SortedMap<String, List<Diagnostic>> silent;

    /** Ids of the steps that apply a role, by stage; complete for the stages before the one in work. */
    private final Map<String, Set<String>> stepsOf = new HashMap<>();

    private final Set<String> changedHosts = new TreeSet<>();
    private final Set<String> allHosts = new TreeSet<>();

    RoleSteps(Planner.Input in, List<Step.OfResource> resources) {
        this.in = in;
        this.changes = new ItemChanges(in.desired().contents(), in.resolver());
        resources.stream().filter(Step.OfResource::isMachine).forEach(step -> machineSteps.put(host(step), step));
        this.stages = in.desired().stages().stream().collect(Collectors.toMap(Stage::name, stage -> stage));
        this.silent = new TreeMap<>(in.silent());
        silent.keySet().removeAll(machineSteps.keySet());
        this.leaves = new TeardownSteps(in, stages, machineSteps, applied, barriers);
        steps.addAll(leaves.steps());
        leaves.steps().forEach(leave -> changedHosts.add(leave.host()));
        apply();
    }

    static String stepId(String stage, String host) {
        return stage + "@" + host;
    }

    List<Step> steps() {
        return List.copyOf(steps);
    }

    /** Unreachable hosts whose machine no step of the plan makes reachable. */
    SortedMap<String, List<Diagnostic>> silent() {
        return silent;
    }

    Barriers barriers() {
        return barriers.build();
    }

    List<String> unchanged() {
        return allHosts.stream().filter(host -> !changedHosts.contains(host)).toList();
    }

    /** The resource steps; the deletion or restart of a machine waits for the actions to be undone first. */
    List<Step.OfResource> withMachinesThatGo(List<Step.OfResource> resources) {
        return resources.stream().map(this::afterLeaving).toList();
    }

    private Step.OfResource afterLeaving(Step.OfResource step) {
        boolean goes = step.change() == Change.DELETE || step.change() == Change.REPLACE;
        if (!step.isMachine() || !(goes || step.restarts())) {
            return step;
        }
        var needs = new TreeSet<>(step.needs());
        needs.addAll(leaves.beforeMachine(host(step)));
        return step.withNeeds(needs);
    }

    private void apply() {
        for (var stage : in.desired().stages()) {
            for (var host : stage.hosts()) {
                allHosts.add(host);
                applyRole(stage, host);
            }
        }
    }

    private void applyRole(Stage stage, String host) {
        var rendered = in.desired().contract(stage, host);
        var contract = rendered.contract();
        var fingerprint = Planner.fingerprint(in, rendered);
        var recorded = recorded(host, contract.role());
        var observed = Planner.observed(in, host);
        boolean fresh = madeHere(host);
        boolean isSilent = silent.containsKey(host);
        var items = new ArrayList<ItemChange>();
        var actions = new ArrayList<ActionChange>();
        if (observed.isPresent() && !fresh) {
            differing(contract, observed.get(), secretFiles(host), items);
            var undone = leaves.undoneBefore(host, contract.role());
            contract.actions().stream()
                    .filter(action ->
                            undone.contains(action.id()) || !observed.get().isDone(contract.role(), action.id()))
                    .forEach(action -> actions.add(willRun(action)));
        } else {
            contract.items().forEach(item -> items.add(changes.fresh(item)));
            contract.actions().forEach(action -> actions.add(willRun(action)));
        }
        var dropped = recorded == null || fresh ? Optional.<Contract>empty() : dropped(host, contract, recorded);
        dropped.map(gone -> leaves.leaving(gone.items())).ifPresent(items::addAll);
        if (recorded != null && !fresh) {
            actions.addAll(leaves.staying(contract, recorded));
        }
        // A renamed stage is recorded again: the order of leaving depends on the name.
        boolean same = recorded != null
                && recorded.fingerprint().equals(fingerprint)
                && recorded.stage().equals(stage.name());
        if (isSilent && same) {
            changedHosts.add(host);
            return;
        }
        if (items.isEmpty() && actions.isEmpty() && same && observed.isPresent() && !fresh) {
            return;
        }
        changedHosts.add(host);
        var id = stepId(stage.name(), host);
        stepsOf.computeIfAbsent(stage.name(), _ -> new LinkedHashSet<>()).add(id);
        steps.add(new Step.OfRole(
                new Step.Head(
                        id,
                        needs(stage, host),
                        fresh || recorded == null ? Change.CREATE : Change.UPDATE,
                        isSilent
                                ? "it does not answer; what differs shows once it does"
                                : reason(
                                        fresh,
                                        observed.isPresent(),
                                        machineSteps.get(host),
                                        recorded,
                                        same,
                                        items,
                                        actions)),
                stage.name(),
                host,
                fresh,
                contract,
                fingerprint,
                new Step.Differences(items, actions, dropped),
                fresh ? Optional.empty() : observed.map(seen -> Precondition.of(contract, seen, in.resolver()))));
    }

    private void differing(Contract contract, ProbeAnswer observed, Set<String> secret, List<ItemChange> found) {
        for (var item : contract.items()) {
            changes.of(item, observed.of(item))
                    .map(change ->
                            secret.contains(item.id()) ? ItemChanges.masked(change) : withText(item, change, observed))
                    .ifPresent(found::add);
        }
    }

    /** Files with a secret as last applied, whatever their desired content is. */
    private Set<String> secretFiles(String host) {
        var recorded = in.state().hosts().get(host);
        return recorded == null
                ? Set.of()
                : recorded.roles().values().stream()
                        .flatMap(role -> applied.contract(role).items().stream())
                        .filter(item -> item instanceof Item.File file && file.secret())
                        .map(Item::id)
                        .collect(Collectors.toSet());
    }

    private ItemChange withText(Item item, ItemChange change, ProbeAnswer observed) {
        if (item instanceof Item.File file && !file.secret() && change.change() == Change.UPDATE) {
            var text = observed.texts().get(file.path());
            return text == null ? change : changes.withDiff(change, file, text);
        }
        return change;
    }

    /** Applied items that no role of this host wants any more. */
    private Optional<Contract> dropped(String host, Contract contract, RecordedRole recorded) {
        var wanted = leaves.wantedItems(host);
        var items = applied.contract(recorded).items().stream()
                .filter(item -> !wanted.contains(item.id()))
                .toList();
        return items.isEmpty() ? Optional.empty() : Optional.of(new Contract(contract.role(), host, items, List.of()));
    }

    private List<String> needs(Stage stage, String host) {
        var needs = new TreeSet<String>();
        var machine = machineSteps.get(host);
        if (machine != null) {
            needs.add(machine.id());
        }
        needs.addAll(leaves.before(stage, host));
        for (var need : stage.needs()) {
            var before = stepsOf.getOrDefault(need, Set.of());
            var other = stages.get(need);
            if (stage.everyHost() || other == null || !other.runsOn(host)) {
                needs.addAll(barriers.over(need, before));
            } else if (before.contains(stepId(need, host))) {
                needs.add(stepId(need, host));
            }
        }
        return List.copyOf(needs);
    }

    private @Nullable RecordedRole recorded(String host, String role) {
        var recorded = in.state().hosts().get(host);
        return recorded == null ? null : recorded.roles().get(role);
    }

    private boolean madeHere(String host) {
        var step = machineSteps.get(host);
        return step != null && (step.change() == Change.CREATE || step.change() == Change.REPLACE);
    }

    private static String reason(
            boolean fresh,
            boolean observed,
            Step.@Nullable OfResource machine,
            @Nullable RecordedRole recorded,
            boolean same,
            List<ItemChange> items,
            List<ActionChange> actions) {
        if (fresh) {
            return "new machine";
        }
        if (!observed) {
            var first = machine != null && machine.change() == Change.NONE ? "waited for" : "started";
            return "the machine is " + first + " first; its differences are unknown until then";
        }
        if (recorded == null) {
            return "new on this host";
        }
        if (items.isEmpty() && actions.isEmpty()) {
            return "role revised, 0 items differ";
        }
        return same ? "differs from what was applied" : "changed in site.yaml or in the role";
    }

    private static ActionChange willRun(Action action) {
        return new ActionChange(action.id(), Change.CREATE, action.does(), action.blast());
    }

    static String host(Step.OfResource step) {
        return step.desired()
                .map(resource -> resource.id())
                .orElseGet(() -> step.seen().map(ObservedResource::id).orElse(new ResourceId("", "")))
                .key();
    }
}
