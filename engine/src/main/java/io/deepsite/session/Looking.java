package io.deepsite.session;

import io.deepsite.apply.Access;
import io.deepsite.contract.Contract;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Desired;
import io.deepsite.plan.ResourceSteps;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.remote.HostFacts;
import io.deepsite.remote.HostProbe;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.remote.Remote;
import io.deepsite.render.ContractJson;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Looks at every host that can be looked at: wanted and recorded contracts in one round trip each. */
final class Looking {
    private final Access access;
    private final HostProbe probe;

    Looking(Access access, Remote remote) {
        this.access = access;
        this.probe = new HostProbe(remote, HostProbe.USUAL_LIMIT);
    }

    /**
     * @param owned a machine among them that is ready is looked at; one that is stopped or half made is not, nor one
     *     that is waited for
     * @throws Failure with every host that should answer and does not
     */
    Map<String, ProbeAnswer> at(Desired desired, List<ObservedResource> owned, SiteState state) {
        var running = running(owned);
        var there = desired.design().machines().stream()
                .filter(machine -> machine.resource().isEmpty() || running.contains(machine.name()))
                .filter(machine -> machine.resource()
                        .filter(id -> ResourceSteps.isWaitedFor(id, state))
                        .isEmpty())
                .toList();
        var looks = new ArrayList<HostProbe.Look>();
        there.forEach(machine -> looks.add(look(machine, desired, state)));
        var wanted = desired.design().machines().stream().map(Machine::name).toList();
        state.hosts().forEach((host, recorded) -> {
            if (!wanted.contains(host) && !recorded.awaited() && (running.contains(host) || !isMade(state, host))) {
                looks.add(new HostProbe.Look(
                        access.target(host, state.hosts()), recorded(state, host), HostProbe.NO_TEXTS));
            }
        });
        return answers(looks, host -> !wanted.contains(host));
    }

    /** The design with the real size of hosts that existed before deepsite: site.yaml does not decide what they are. */
    Design measured(Design design) {
        var looks = design.machines().stream()
                .filter(machine -> machine.resource().isEmpty())
                .map(machine -> new HostProbe.Look(access.target(machine, design.byName()), List.of()))
                .toList();
        if (looks.isEmpty()) {
            return design;
        }
        var answers = answers(looks);
        return new Design(
                design.resources(),
                design.machines().stream()
                        .map(machine -> Optional.ofNullable(answers.get(machine.name()))
                                .map(answer -> measured(machine, answer.facts()))
                                .orElse(machine))
                        .toList());
    }

    private static Machine measured(Machine machine, HostFacts facts) {
        return machine.measured(
                facts.cpus() > 0 ? facts.cpus() : machine.cpus(),
                facts.memoryMebibytes() > 0 ? facts.memoryMebibytes() : machine.memoryMebibytes(),
                facts.container().isPresent());
    }

    Map<String, ProbeAnswer> answers(List<HostProbe.Look> looks) {
        return answers(looks, _ -> false);
    }

    /** @param leaving hosts that are looked at for the last time */
    private Map<String, ProbeAnswer> answers(List<HostProbe.Look> looks, Predicate<String> leaving) {
        var answers = new TreeMap<String, ProbeAnswer>();
        var silent = new ArrayList<Diagnostic>();
        probe.probe(looks).forEach((host, reply) -> {
            switch (reply) {
                case HostProbe.Reply.Answered answered -> answers.put(host, answered.answer());
                case HostProbe.Reply.Silent(var diagnostics) ->
                    diagnostics.forEach(fault -> silent.add(leaving.test(host) ? mayBeForgotten(host, fault) : fault));
            }
        });
        if (!silent.isEmpty()) {
            throw new Failure(silent);
        }
        return answers;
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
                .filter(stage -> stage.hosts().contains(machine.name()))
                .forEach(stage ->
                        contracts.add(desired.contract(stage, machine.name()).contract()));
        contracts.addAll(recorded(state, machine.name()));
        return new HostProbe.Look(access.target(machine, desired.design().byName()), contracts, HostProbe.DIFFERING);
    }

    static List<Contract> recorded(SiteState state, String host) {
        var recorded = state.hosts().get(host);
        return recorded == null
                ? List.of()
                : recorded.roles().values().stream()
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
