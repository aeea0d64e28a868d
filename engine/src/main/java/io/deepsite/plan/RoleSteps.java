package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.render.ContractJson;
import io.deepsite.state.RecordedRole;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What happens inside hosts: roles to apply, and roles to leave. */
final class RoleSteps {
    private final Planner.Input in;
    private final Map<String, Step.OfResource> machineSteps = new TreeMap<>();
    private final ItemChanges changes;
    private final List<Step> steps = new ArrayList<>();
    private final Set<String> changedHosts = new TreeSet<>();
    private final Set<String> allHosts = new TreeSet<>();

    RoleSteps(Planner.Input in, List<Step.OfResource> resources) {
        this.in = in;
        this.changes = new ItemChanges(in.desired().contents(), in.closing());
        resources.stream().filter(Step.OfResource::isMachine).forEach(step -> machineSteps.put(host(step), step));
        leave();
        inReverse();
        apply();
    }

    static String stepId(String stage, String host) {
        return stage + "@" + host;
    }

    List<Step> steps() {
        return List.copyOf(steps);
    }

    List<String> unchanged() {
        return allHosts.stream().filter(host -> !changedHosts.contains(host)).toList();
    }

    /** The resource steps, where a machine that goes waits for what is to be undone on it. */
    List<Step.OfResource> withMachinesThatGo(List<Step.OfResource> resources) {
        return resources.stream().map(this::afterLeaving).toList();
    }

    private Step.OfResource afterLeaving(Step.OfResource step) {
        if (!step.isMachine() || step.change() != Change.DELETE) {
            return step;
        }
        var needs = new TreeSet<>(step.needs());
        steps.stream()
                .filter(other ->
                        other instanceof Step.Leave leave && leave.host().equals(host(step)))
                .map(Step::id)
                .forEach(needs::add);
        return step.withNeeds(needs);
    }

    private void leave() {
        in.state().hosts().forEach((host, recorded) -> {
            var wanted = wantedRoles(host);
            var machineGoes =
                    machineSteps.containsKey(host) && machineSteps.get(host).change() == Change.DELETE;
            // What was on a machine that is made anew is gone with it.
            var reachable = Planner.observed(in, host).isPresent() && !madeHere(host);
            recorded.roles().forEach((role, applied) -> {
                if (!wanted.contains(role) && reachable) {
                    leaveRole(host, applied, machineGoes);
                }
            });
        });
    }

    /** What stood on a role is left before it: a node is drained while its controller still runs. */
    private void inReverse() {
        var leaves = steps.stream()
                .filter(Step.Leave.class::isInstance)
                .map(Step.Leave.class::cast)
                .toList();
        steps.replaceAll(
                step -> step instanceof Step.Leave leave ? leave.withNeeds(standingOn(leave.stage(), leaves)) : step);
    }

    private List<String> standingOn(String stage, List<Step.Leave> leaves) {
        return leaves.stream()
                .filter(other -> recordedNeeds(other).contains(stage))
                .map(Step.Leave::id)
                .sorted()
                .toList();
    }

    private List<String> recordedNeeds(Step.Leave leave) {
        var role = recorded(leave.host(), leave.role());
        return role == null ? List.of() : role.needs();
    }

    private Set<String> wantedRoles(String host) {
        var roles = new HashSet<String>();
        in.desired().stages().stream()
                .filter(stage -> stage.hosts().contains(host))
                .forEach(stage -> roles.add(stage.role()));
        return roles;
    }

    private void leaveRole(String host, RecordedRole applied, boolean machineGoes) {
        var contract = ContractJson.contract(applied.contract());
        var undone = contract.actions().stream()
                .filter(action -> applied.actionsDone().contains(action.id()))
                .filter(action ->
                        action.undo().isPresent() && (!machineGoes || (action.onDelete() && othersStay(applied))))
                .toList();
        if (machineGoes && undone.isEmpty()) {
            return;
        }
        SortedSet<Consent> consents = consentsOf(undone);
        var items = machineGoes
                ? List.<ItemChange>of()
                : contract.items().stream()
                        .map(item -> new ItemChange(item.id(), Change.DELETE, List.of(), Optional.empty()))
                        .toList();
        changedHosts.add(host);
        steps.add(new Step.Leave(
                stepId("leave." + contract.role(), host),
                List.of(),
                machineGoes ? "the machine goes" : "no longer wanted",
                consents,
                applied.stage(),
                host,
                contract,
                machineGoes,
                items,
                undone.stream()
                        .map(action -> new ActionChange(action.id(), Change.DELETE, action.does(), action.blast()))
                        .toList()));
    }

    /** Where a whole cluster goes, nobody is left for whom its machines should go gracefully. */
    private boolean othersStay(RecordedRole applied) {
        return in.desired().stages().stream().anyMatch(stage -> stage.name().equals(applied.stage()));
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
        var recorded = recorded(host, contract.role());
        var observed = Planner.observed(in, host);
        boolean fresh = madeHere(host);
        var items = new ArrayList<ItemChange>();
        var actions = new ArrayList<ActionChange>();
        if (observed.isPresent() && !fresh) {
            differing(contract, observed.get(), secretFiles(host), items);
            contract.actions().stream()
                    .filter(action -> !observed.get().isDone(contract.role(), action.id()))
                    .forEach(action -> actions.add(willRun(action)));
        } else {
            contract.items().forEach(item -> items.add(changes.fresh(item)));
            contract.actions().forEach(action -> actions.add(willRun(action)));
        }
        var dropped = recorded == null || fresh ? Optional.<Contract>empty() : dropped(host, contract, recorded);
        dropped.ifPresent(gone -> gone.items()
                .forEach(item -> items.add(new ItemChange(item.id(), Change.DELETE, List.of(), Optional.empty()))));
        boolean same = recorded != null && recorded.fingerprint().equals(rendered.fingerprint());
        if (items.isEmpty() && actions.isEmpty() && same && observed.isPresent() && !fresh) {
            return;
        }
        changedHosts.add(host);
        steps.add(new Step.OfRole(
                stepId(stage.name(), host),
                needs(stage, host),
                fresh || recorded == null ? Change.CREATE : Change.UPDATE,
                reason(fresh, observed.isPresent(), recorded, same, items, actions),
                fresh ? new TreeSet<>() : consentsToRun(contract, actions),
                stage.name(),
                host,
                contract,
                rendered.fingerprint(),
                items,
                actions,
                dropped,
                fresh ? Optional.empty() : observed.map(seen -> Precondition.of(contract, seen, in.closing()))));
    }

    private void differing(Contract contract, ProbeAnswer observed, Set<String> secret, List<ItemChange> found) {
        for (var item : contract.items()) {
            changes.of(item, observed.of(item))
                    .map(change ->
                            secret.contains(item.id()) ? ItemChanges.masked(change) : withText(item, change, observed))
                    .ifPresent(found::add);
        }
    }

    /** Files that hold a secret as they were applied, whatever they shall hold now. */
    private Set<String> secretFiles(String host) {
        var recorded = in.state().hosts().get(host);
        return recorded == null
                ? Set.of()
                : recorded.roles().values().stream()
                        .flatMap(role -> ContractJson.contract(role.contract()).items().stream())
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

    /** Items and actions that were applied and that no role of this host wants any more. */
    private Optional<Contract> dropped(String host, Contract contract, RecordedRole recorded) {
        var wanted = new TreeMap<String, Boolean>();
        in.desired().stages().stream()
                .filter(stage -> stage.hosts().contains(host))
                .forEach(stage -> in.desired()
                        .contract(stage, host)
                        .contract()
                        .items()
                        .forEach(item -> wanted.put(item.id(), true)));
        var applied = ContractJson.contract(recorded.contract());
        var items = ItemChanges.dropped(applied.items(), wanted);
        var kept = contract.actions().stream().map(Action::id).toList();
        var actions = applied.actions().stream()
                .filter(action -> recorded.actionsDone().contains(action.id())
                        && !kept.contains(action.id())
                        && action.undo().isPresent())
                .toList();
        return items.isEmpty() && actions.isEmpty()
                ? Optional.empty()
                : Optional.of(new Contract(contract.role(), host, items, actions));
    }

    private List<String> needs(Stage stage, String host) {
        var needs = new TreeSet<String>();
        var machine = machineSteps.get(host);
        if (machine != null) {
            needs.add(machine.id());
        }
        // A node leaves the queue before the controller forgets it.
        steps.stream()
                .filter(step -> step instanceof Step.Leave leave
                        && (leave.machineGoes() || leave.host().equals(host)))
                .map(Step::id)
                .forEach(needs::add);
        for (var step : steps) {
            if (step instanceof Step.OfRole role
                    && stage.needs().contains(role.stage())
                    && (role.host().equals(host) || stage.everyHost() || !runsOn(role.stage(), host))) {
                needs.add(step.id());
            }
        }
        return List.copyOf(needs);
    }

    private boolean runsOn(String stage, String host) {
        return in.desired().stages().stream()
                .anyMatch(other -> other.name().equals(stage) && other.hosts().contains(host));
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
            @Nullable RecordedRole recorded,
            boolean same,
            List<ItemChange> items,
            List<ActionChange> actions) {
        if (fresh) {
            return "new machine";
        }
        if (!observed) {
            return "the machine is started first; what differs shows then";
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

    private static SortedSet<Consent> consentsToRun(Contract contract, List<ActionChange> changes) {
        var consents = consentsOf(contract.actions().stream()
                .filter(action -> changes.stream().anyMatch(run -> run.id().equals(action.id())))
                .toList());
        // Draining is what undoing such an action does.
        consents.remove(Consent.DRAIN);
        return consents;
    }

    private static SortedSet<Consent> consentsOf(List<Action> actions) {
        var consents = new TreeSet<Consent>();
        for (var action : actions) {
            switch (action.blast()) {
                case NOTHING, RESTART -> {}
                case DRAIN -> consents.add(Consent.DRAIN);
                case WIPE -> consents.add(Consent.WIPE);
                case REBOOT -> consents.add(Consent.REBOOT);
            }
        }
        return consents;
    }

    private static String host(Step.OfResource step) {
        return step.desired()
                .map(resource -> resource.id())
                .orElseGet(() -> step.seen().map(ObservedResource::id).orElse(new ResourceId("", "")))
                .key();
    }
}
