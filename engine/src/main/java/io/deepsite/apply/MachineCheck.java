package io.deepsite.apply;

import io.deepsite.contract.Item;
import io.deepsite.contract.Unknowns;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Change;
import io.deepsite.plan.Facts;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.provider.Machine;
import io.deepsite.remote.HostFacts;
import io.deepsite.remote.HostProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks that new machines are as requested, and reads the facts that the plan left open. */
final class MachineCheck {
    private final Plan plan;
    private final Access access;
    private final HostProbe probe;

    MachineCheck(Plan plan, Access access, HostProbe probe) {
        this.plan = plan;
        this.access = access;
        this.probe = probe;
    }

    /**
     * Probes the machines that this run created or changed, and those whose facts are needed.
     *
     * @return the known facts, named as in {@link io.deepsite.plan.UnknownResolver#facts}
     * @throws Failure MACHINE_TOO_SMALL, and the failure of a machine that does not answer
     */
    Map<String, String> facts(Outcomes outcomes) {
        var made = made(outcomes);
        var names = new TreeSet<>(made);
        plan.unknowns().stream()
                .filter(unknown -> !unknown.fact().equals(Unknowns.HOST_KEY))
                .forEach(unknown -> names.add(unknown.machine()));
        names.removeAll(plan.silent().keySet());
        names.removeIf(name -> plan.machines().get(name) == null || !isThere(name));
        var probes = names.stream()
                .map(name -> new HostProbe.Look(access.target(machine(name), plan.machines()), List.of()))
                .toList();
        var reported = new TreeMap<String, HostFacts>();
        var faults = new ArrayList<Diagnostic>();
        probe.probe(probes).forEach((name, reply) -> {
            switch (reply) {
                case HostProbe.Reply.Answered(var answer) -> {
                    reported.put(name, answer.facts());
                    if (made.contains(name)) {
                        faults.addAll(tooSmall(machine(name), answer.facts()));
                    }
                }
                case HostProbe.Reply.Silent(var diagnostics) -> faults.addAll(diagnostics);
            }
        });
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        var facts = new TreeMap<>(Facts.of(plan.machines().values(), reported));
        facts.putAll(hostKeys());
        return facts;
    }

    /** The keys that deepsite itself trusts, of machines that other machines must trust. */
    private Map<String, String> hostKeys() {
        var keys = new TreeMap<String, String>();
        plan.unknowns().stream()
                .filter(unknown -> unknown.fact().equals(Unknowns.HOST_KEY))
                .map(Item.Unknown::machine)
                .filter(name -> plan.machines().get(name) != null && isThere(name))
                .forEach(name -> keys.put(
                        Facts.hostKey(name),
                        access.target(machine(name), plan.machines()).hostKey().line()));
        return keys;
    }

    private Set<String> made(Outcomes outcomes) {
        var made = new TreeSet<String>();
        for (var step : plan.steps()) {
            if (step instanceof Step.OfResource resource
                    && resource.isMachine()
                    && resource.change() != Change.DELETE
                    && outcomes.isDone(step)) {
                made.add(ResourceRun.subject(resource));
            }
        }
        return made;
    }

    private boolean isThere(String name) {
        return machine(name).resource().isEmpty() || access.knows(name);
    }

    private Machine machine(String name) {
        return Objects.requireNonNull(plan.machines().get(name), name);
    }

    /** Ignores unreported values: resolving the plan fails for a fact that is needed and missing. */
    static List<Diagnostic> tooSmall(Machine asked, HostFacts facts) {
        var faults = new ArrayList<Diagnostic>();
        if (facts.cpus() > 0 && facts.cpus() < asked.cpus()) {
            faults.add(tooSmall(
                    asked.name() + " has " + cpus(facts.cpus()) + "; site.yaml requests " + cpus(asked.cpus())));
        }
        long least = asked.promisedMebibytes();
        if (facts.memoryMebibytes() > 0 && facts.memoryMebibytes() < least) {
            faults.add(tooSmall(asked.name() + " has " + facts.memoryMebibytes() + " MiB of memory; site.yaml requests "
                    + asked.memoryMebibytes() + " MiB, of which " + least + " MiB must be available to its cluster"));
        }
        return faults;
    }

    private static Diagnostic tooSmall(String why) {
        return Diagnostic.error(
                Code.MACHINE_TOO_SMALL,
                why + ". No host was configured.",
                "Free capacity on the back-end, or lower cpus or memory of its group in site.yaml, then:",
                "deepsite apply");
    }

    private static String cpus(int count) {
        return count + (count == 1 ? " CPU" : " CPUs");
    }
}
