package io.deepsite.apply;

import io.deepsite.contract.Unknowns;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.plan.Change;
import io.deepsite.plan.Facts;
import io.deepsite.plan.Plan;
import io.deepsite.plan.ResolvedPlan;
import io.deepsite.plan.Step;
import io.deepsite.provider.Machine;
import io.deepsite.remote.HostFacts;
import io.deepsite.remote.HostProbe;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks that new machines are as requested, and reads the facts that the plan left open. Each machine is probed once. */
final class MachineCheck {
    private final Plan plan;
    private final Access access;
    private final HostProbe probe;
    private final Outcomes outcomes;
    /** Machines by name, that this plan makes or changes. */
    private final Map<String, Step.OfResource> changed = new TreeMap<>();

    private final Set<String> probed = new TreeSet<>();
    private final Set<String> faulty = new TreeSet<>();
    private final Map<String, String> facts;

    MachineCheck(Plan plan, Access access, HostProbe probe, Outcomes outcomes) {
        this.plan = plan;
        this.access = access;
        this.probe = probe;
        this.outcomes = outcomes;
        this.facts = new TreeMap<>(Facts.of(plan.machines().values(), Map.of()));
        for (var step : plan.steps()) {
            if (step instanceof Step.OfResource resource
                    && resource.isMachine()
                    && resource.change() != Change.DELETE) {
                changed.put(ResourceRun.subject(resource), resource);
            }
        }
    }

    /**
     * Probes the hosts of these steps that this run created or changed, and the machines whose facts they need. Faults are
     * reported, and the hosts are {@link #isFaulty}.
     *
     * @return all known facts, named as in {@link io.deepsite.plan.UnknownResolver#facts}
     */
    synchronized Map<String, String> facts(Collection<? extends Step> steps) {
        var names = new TreeSet<String>();
        for (var step : steps) {
            var made = changed.get(Configuration.host(step));
            if (made != null && outcomes.isDone(made)) {
                names.add(Configuration.host(step));
            }
            if (step instanceof Step.OfRole role) {
                ResolvedPlan.unknowns(role).forEach(unknown -> {
                    if (unknown.fact().equals(Unknowns.HOST_KEY)) {
                        addHostKey(unknown.machine());
                    } else {
                        names.add(unknown.machine());
                    }
                });
            }
        }
        names.removeIf(name -> probed.contains(name) || plan.silent().containsKey(name) || !isThere(name));
        if (!names.isEmpty()) {
            probe(names);
        }
        return new TreeMap<>(facts);
    }

    /** Whether the machine is not as requested, or did not answer. */
    synchronized boolean isFaulty(String host) {
        return faulty.contains(host);
    }

    private void probe(Set<String> names) {
        var reported = new TreeMap<String, HostFacts>();
        var looks = names.stream()
                .map(name -> new HostProbe.Look(access.target(machine(name), plan.machines()), List.of()))
                .toList();
        probe.probe(looks).forEach((name, reply) -> {
            var faults = switch (reply) {
                case HostProbe.Reply.Answered(var answer) -> {
                    reported.put(name, answer.facts());
                    var step = changed.get(name);
                    yield step != null && outcomes.isDone(step)
                            ? tooSmall(machine(name), answer.facts())
                            : List.<Diagnostic>of();
                }
                case HostProbe.Reply.Silent(var diagnostics) -> diagnostics;
            };
            if (!faults.isEmpty()) {
                faulty.add(name);
                outcomes.failAll(faults);
            }
        });
        probed.addAll(names);
        facts.putAll(Facts.of(List.of(), reported));
    }

    /** The key that deepsite itself trusts, of a machine that others must trust. */
    private void addHostKey(String name) {
        if (isThere(name)) {
            facts.put(
                    Facts.hostKey(name),
                    access.target(machine(name), plan.machines()).hostKey().line());
        }
    }

    /** Whether the machine exists now. */
    boolean isThere(String name) {
        var machine = plan.machines().get(name);
        var step = changed.get(name);
        return machine != null
                && (machine.resource().isEmpty() || access.knows(name))
                && (step == null || step.change() != Change.CREATE || outcomes.isDone(step));
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
                why + ". It was not configured.",
                "Free capacity on the back-end, or lower cpus or memory of its group in site.yaml, then:",
                "deepsite apply");
    }

    private static String cpus(int count) {
        return count + (count == 1 ? " CPU" : " CPUs");
    }
}
