package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Seen;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.render.ContractJson;
import io.deepsite.site.Name;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedResource;
import io.deepsite.state.RecordedRole;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Machines with roles, for tests of the order of steps. A stage has the name of its role, which has a file and an
 * action that is undone before its machine is deleted.
 */
final class SampleCluster {
    private final List<Stage> stages = new ArrayList<>();

    /** Roles without an action: nothing is undone on their hosts. */
    private final Set<String> passive = new HashSet<>();

    private final Map<String, Resource> machines = new LinkedHashMap<>();
    private final List<ObservedResource> owned = new ArrayList<>();
    private final Map<String, ProbeAnswer> observed = new TreeMap<>();
    private final Map<String, String> texts = new TreeMap<>();
    private SiteState state = SiteState.fresh("lab", "1.0");

    SampleCluster stage(String name, List<String> needs, String... hosts) {
        var variables = new LinkedHashMap<String, Map<String, Object>>();
        for (var host : hosts) {
            variables.put(host, Map.of());
            machines.put(host, machine(host, "debian-1"));
        }
        stages.add(new Stage(name, name, variables, 0, needs, false));
        return this;
    }

    /** The last stage's role has no action. */
    SampleCluster passive() {
        passive.add(stages.getLast().role());
        return this;
    }

    /** The last stage waits for every host of the stages that it needs. */
    SampleCluster afterEveryHost() {
        stages.add(stages.removeLast().afterEveryHost());
        return this;
    }

    /** Everything is applied as desired, and recorded. */
    SampleCluster applied() {
        machines.forEach((host, machine) -> {
            owned.add(new ObservedResource(
                    machine.id(),
                    machine.name(),
                    new TreeMap<>(machine.values()),
                    new Tags(new Name("lab"), state.lineage(), Optional.empty()),
                    "etag-1",
                    ObservedResource.Condition.READY,
                    List.of()));
            state = state.withResource(
                    machine.id().toString(),
                    new RecordedResource("instance", machine.name(), new TreeMap<>(machine.values()), List.of()));
            var recorded = new RecordedHost("10.0.0.2", 22, "root", null, new TreeMap<>());
            var seen = new TreeMap<String, Seen>();
            var done = new TreeSet<String>();
            for (var stage : stages) {
                if (stage.runsOn(host)) {
                    var contract = contract(stage.role(), host);
                    recorded = recorded.withRole(
                            stage.role(),
                            new RecordedRole(
                                    stage.name(),
                                    stage.needs(),
                                    fingerprint(contract),
                                    ContractJson.tree(contract),
                                    contract.actions().stream().map(Action::id).toList()));
                    seen.put("file:/etc/" + stage.role(), SamplePlan.seenFile(Digests.sha256("x\n")));
                    done.add(stage.role() + "/join");
                }
            }
            state = state.withHost(host, recorded);
            observed.put(
                    host,
                    new ProbeAnswer(
                            SamplePlan.answer(new TreeMap<>(), new TreeMap<>()).facts(), seen, done, new TreeMap<>()));
        });
        return this;
    }

    /** The site no longer has this machine. */
    SampleCluster without(String host) {
        machines.remove(host);
        stages.replaceAll(stage -> {
            var left = new LinkedHashMap<>(stage.variables());
            left.remove(host);
            return new Stage(stage.name(), stage.role(), left, stage.batch(), stage.needs(), stage.everyHost());
        });
        return this;
    }

    /** The site no longer has this stage; its machines stay. */
    SampleCluster withoutStage(String name) {
        stages.removeIf(stage -> stage.name().equals(name));
        return this;
    }

    /** The site wants another image for this machine, which only a new machine can have. */
    SampleCluster withNewImage(String host) {
        machines.put(host, machine(host, "debian-2"));
        return this;
    }

    /** Every role is new, so that each has a step on each host. */
    SampleCluster revised() {
        texts.put("revision", "2");
        return this;
    }

    Plan plan() {
        var contracts = new TreeMap<String, Map<String, Desired.RenderedRole>>();
        stages.forEach(stage -> stage.hosts().forEach(host -> {
            var contract = contract(stage.role(), host);
            contracts
                    .computeIfAbsent(stage.name(), _ -> new TreeMap<>())
                    .put(host, new Desired.RenderedRole(contract, fingerprint(contract)));
        }));
        return Planner.plan(new Planner.Input(
                new Name("lab"),
                Optional.empty(),
                "1.0",
                state,
                new Desired(
                        new Design(
                                List.copyOf(machines.values()),
                                machines.keySet().stream()
                                        .map(SampleCluster::host)
                                        .toList()),
                        stages,
                        contracts,
                        List.of(),
                        new Contents(new TreeMap<>(Map.of(Digests.sha256("x\n"), "x\n")))),
                owned,
                observed,
                Map.of(),
                UnknownResolver.NOTHING,
                tasks(),
                false));
    }

    /** Every step that must end before this one can begin. */
    static Set<String> before(Plan plan, String step) {
        var needs = new TreeMap<String, List<String>>();
        plan.steps()
                .forEach(one -> needs.put(
                        one.id(),
                        one.needs().stream().flatMap(plan.barriers()::stepsOf).toList()));
        if (!needs.containsKey(step)) {
            throw new AssertionError(step + " is not in the plan: " + needs.keySet());
        }
        var before = new TreeSet<String>();
        var open = new ArrayList<>(needs.get(step));
        while (!open.isEmpty()) {
            var next = open.removeLast();
            if (before.add(next)) {
                open.addAll(needs.getOrDefault(next, List.of()));
            }
        }
        return before;
    }

    private Set<String> tasks() {
        var tasks = new HashSet<String>();
        state.hosts().values().forEach(host -> host.roles().keySet().forEach(role -> tasks.add(role + "/leave.yml")));
        return tasks;
    }

    private String fingerprint(Contract contract) {
        return Digests.sha256(texts + ContractJson.tree(contract).toString());
    }

    private Contract contract(String role, String host) {
        return new Contract(
                role,
                host,
                List.of(SamplePlan.file("/etc/" + role, "x\n")),
                passive.contains(role)
                        ? List.of()
                        : List.of(new Action(
                                "join",
                                "joins the cluster",
                                List.of("true"),
                                "join.yml",
                                Optional.of("leave.yml"),
                                Optional.empty(),
                                Action.Impact.DRAIN,
                                new TreeMap<>(),
                                "d",
                                true)));
    }

    private static Resource machine(String host, String image) {
        return new Resource(
                new ResourceId(ResourceId.MACHINE, host),
                "lab-" + host,
                new TreeMap<>(Map.of("image", new Resource.Attribute(image, Resource.Mutability.REPLACE))),
                List.of());
    }

    private static Machine host(String name) {
        return new Machine(
                name,
                new Name(name),
                Optional.of(new ResourceId(ResourceId.MACHINE, name)),
                "lxd",
                new Machine.Specs(1, 1024, true, List.of()),
                new Machine.Ssh(Optional.of("10.0.0.2"), 22, "root", Optional.empty()));
    }
}
