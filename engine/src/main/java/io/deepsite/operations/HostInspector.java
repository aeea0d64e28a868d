package io.deepsite.operations;

import io.deepsite.apply.Access;
import io.deepsite.cluster.PciStage;
import io.deepsite.contract.Contract;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Desired;
import io.deepsite.plan.ResourceSteps;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.PciBus;
import io.deepsite.provider.ResourceId;
import io.deepsite.remote.HostFacts;
import io.deepsite.remote.HostProbe;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.remote.Remote;
import io.deepsite.render.ContractJson;
import io.deepsite.site.Name;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedSize;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Looks at every host that can be looked at: wanted and recorded contracts in one round trip each. */
final class HostInspector implements AutoCloseable {
    private final Access access;
    private final Predicate<Name> passes;
    private final HostProbe probe;

    /** @param passes whether the hosts of a group give devices away */
    HostInspector(Access access, Remote remote, Predicate<Name> passes) {
        this.access = access;
        this.passes = passes;
        this.probe = new HostProbe(remote, HostProbe.USUAL_LIMIT);
    }

    /** Asks hosts for what is recorded: most of the time that is what will be asked. */
    HostInspector prefetching(SiteState state) {
        probe.begin(state.hosts().entrySet().stream()
                .filter(host -> !host.getValue().awaited())
                .flatMap(host -> early(host.getKey(), state).stream())
                .toList());
        return this;
    }

    /** Empty where the way to the host is not known: whoever needs it gets the fault. */
    private Optional<HostProbe.Early> early(String host, SiteState state) {
        try {
            var target = access.recordedTarget(host, state.hosts(), name -> isMade(state, name));
            return Optional.of(new HostProbe.Early(target, () -> recorded(state, host), hasPassed(state, host)));
        } catch (Failure e) {
            return Optional.empty();
        }
    }

    private static boolean hasPassed(SiteState state, String host) {
        return Optional.ofNullable(state.hosts().get(host))
                .filter(recorded -> recorded.roles().containsKey(PciStage.ROLE))
                .isPresent();
    }

    @Override
    public void close() {
        probe.close();
    }

    /**
     * @param design with what could be measured of it
     * @param silent hosts that existed before deepsite and did not answer; planned as recorded
     */
    record Measured(Design design, SortedMap<String, List<Diagnostic>> silent) {}

    /**
     * An unreachable host does not stop the inspection of the others, as long as it is recorded.
     *
     * @param owned a machine among them that is ready is looked at; one that is stopped or half made is not, nor one
     *     that is waited for
     * @param known to be silent; they are not asked again
     * @throws Failure with every host that should answer, does not, and was never recorded
     */
    ProbeResults at(
            Desired desired, List<ObservedResource> owned, SiteState state, Map<String, List<Diagnostic>> known) {
        var running = running(owned);
        var looks = new ArrayList<HostProbe.Look>();
        desired.design().machines().stream()
                .filter(machine -> machine.resource().isEmpty() || running.contains(machine.name()))
                .filter(machine -> machine.resource()
                        .filter(id -> ResourceSteps.isWaitedFor(id, state))
                        .isEmpty())
                .filter(machine -> !known.containsKey(machine.name()))
                .forEach(machine -> looks.add(look(machine, desired, state)));
        var wanted = desired.design().machines().stream().map(Machine::name).toList();
        state.hosts().forEach((host, recorded) -> {
            if (!wanted.contains(host) && !recorded.awaited() && (running.contains(host) || !isMade(state, host))) {
                looks.add(new HostProbe.Look(
                        access.target(host, state.hosts()), recorded(state, host), HostProbe.NO_TEXTS));
            }
        });
        var found = looked(looks).orFail(host -> state.hosts().containsKey(host));
        var silent = new TreeMap<String, List<Diagnostic>>(known);
        found.silent()
                .forEach((host, faults) -> silent.put(
                        host,
                        wanted.contains(host)
                                ? faults
                                : faults.stream()
                                        .map(fault -> mayBeForgotten(host, fault))
                                        .toList()));
        return new ProbeResults(found.answers(), silent);
    }

    /**
     * The design with the real size of hosts that existed before deepsite, and what is on their buses where that is to be
     * given away: site.yaml does not decide what they are.
     *
     * @throws Failure with every host that does not answer and never told before what it is
     */
    Measured measured(Design design, SiteState state) {
        var looks = design.machines().stream()
                .filter(machine -> machine.resource().isEmpty())
                .map(machine ->
                        HostProbe.Look.atFacts(access.target(machine, design.byName()), passes.test(machine.group())))
                .toList();
        var found = looked(looks).orFail(host -> size(state, host).isPresent());
        var machines = design.machines().stream()
                .map(machine -> Optional.ofNullable(found.answers().get(machine.name()))
                        .map(answer -> measured(machine, answer.facts()))
                        .or(() -> size(state, machine.name())
                                .filter(_ -> found.silent().containsKey(machine.name()))
                                .map(size -> machine.measured(size.cpus(), size.memoryMebibytes(), size.container())))
                        .orElse(machine))
                .toList();
        var buses = new TreeMap<String, PciBus>();
        found.answers().forEach((host, answer) -> answer.bus().ifPresent(bus -> buses.put(host, bus)));
        return new Measured(design.measured(machines, buses), found.silent());
    }

    private static Optional<RecordedSize> size(SiteState state, String host) {
        return Optional.ofNullable(state.hosts().get(host)).map(RecordedHost::size);
    }

    private static Machine measured(Machine machine, HostFacts facts) {
        return machine.measured(
                facts.cpus() > 0 ? facts.cpus() : machine.cpus(),
                facts.memoryMebibytes() > 0 ? facts.memoryMebibytes() : machine.memoryMebibytes(),
                facts.container().isPresent());
    }

    ProbeResults looked(List<HostProbe.Look> looks) {
        var answers = new TreeMap<String, ProbeAnswer>();
        var silent = new TreeMap<String, List<Diagnostic>>();
        probe.probe(looks).forEach((host, reply) -> {
            switch (reply) {
                case HostProbe.Reply.Answered(var answer) -> answers.put(host, answer);
                case HostProbe.Reply.Silent(var diagnostics) -> silent.put(host, diagnostics);
            }
        });
        return new ProbeResults(answers, silent);
    }

    /** Without its answer nothing can be undone there, and without a way out every plan would end here. */
    private static Diagnostic mayBeForgotten(String host, Diagnostic fault) {
        return Diagnostic.error(
                fault.code(),
                fault.where(),
                fault.why() + " What was applied there is to be taken away, so it has to answer.",
                "Let it answer once more. If it is gone for good, forget it; what was applied there then stays:",
                "deepsite state rm " + host);
    }

    private HostProbe.Look look(Machine machine, Desired desired, SiteState state) {
        var contracts = new ArrayList<Contract>();
        desired.stages().stream()
                .filter(stage -> stage.runsOn(machine.name()))
                .forEach(stage ->
                        contracts.add(desired.contract(stage, machine.name()).contract()));
        contracts.addAll(recorded(state, machine.name()));
        return new HostProbe.Look(access.target(machine, desired.design().byName()), contracts, HostProbe.DIFFERING);
    }

    static List<Contract> recorded(SiteState state, String host) {
        return recorded(state, host, "");
    }

    /** Those of stages whose name begins so. */
    static List<Contract> recorded(SiteState state, String host, String stages) {
        var recorded = state.hosts().get(host);
        return recorded == null
                ? List.of()
                : recorded.roles().values().stream()
                        .filter(role -> role.stage().startsWith(stages))
                        .map(role -> ContractJson.contract(role.contract()))
                        .toList();
    }

    private static Set<String> running(List<ObservedResource> owned) {
        var running = new HashSet<String>();
        owned.stream()
                .filter(seen -> seen.id().kind().equals(ResourceId.MACHINE))
                .filter(seen -> seen.condition() == ObservedResource.Condition.READY)
                .forEach(seen -> running.add(seen.id().key()));
        return running;
    }

    /** A host with a resource of its own; the others existed before deepsite. */
    private static boolean isMade(SiteState state, String host) {
        return state.resources().containsKey(new ResourceId(ResourceId.MACHINE, host).toString());
    }
}
