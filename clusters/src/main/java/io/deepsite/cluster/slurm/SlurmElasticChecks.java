package io.deepsite.cluster.slurm;

import io.deepsite.diag.Code;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.NamedGroup;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What must hold of elastic groups. */
final class SlurmElasticChecks {
    /** Less would end nodes between two jobs of one user. */
    private static final Duration LEAST_IDLE = Duration.ofSeconds(30);

    private final CheckContext context;
    private final Site site;
    private final Places places;
    private final Findings findings;
    private final Slurm slurm;
    private final String path;

    /** @param path of the cluster */
    SlurmElasticChecks(CheckContext context, Slurm slurm, String path) {
        this.context = context;
        this.site = context.site();
        this.places = context.places();
        this.findings = context.findings();
        this.slurm = slurm;
        this.path = path + ".elastic";
    }

    void run() {
        slurm.elastic().forEach((name, nodes) -> {
            var place = path + "." + name;
            if (!findings.isUnsound(place) && context.groupExists(new NamedGroup(name, place))) {
                var group = Objects.requireNonNull(site.machines().get(name));
                if (canBeElastic(name, group, place)) {
                    most(name, group, nodes, place);
                    names(name, group, nodes, place);
                }
                idle(nodes, place);
            }
        });
    }

    private boolean canBeElastic(Name name, MachineGroup group, String place) {
        if (!slurm.compute().contains(name)) {
            notElastic(
                    place,
                    name + " is not among the cluster's compute groups: " + Wording.allOf(slurm.compute()) + ".",
                    "Add it to compute, or remove it here.");
        } else if (site.provider().machinesExist()) {
            notElastic(
                    place,
                    "The machines of this provider exist already: none can be made when a job waits.",
                    "Remove the key, or use a provider that makes machines.");
        } else if (group.count().isEmpty()) {
            notElastic(
                    place,
                    "The group has no count, so it is one machine named " + name
                            + "; nodes of an elastic group are numbered.",
                    "Say how many are always there, also if it is none: machines." + name + ".count: 0.");
        } else if (!group.gpus().isEmpty() && site.provider().containers(name)) {
            notElastic(
                    place,
                    "Its machines are containers with cards of their host: which ones is not known before a machine is"
                            + " made, but Slurm has to know it from the start.",
                    "Make them virtual machines, or remove the key.");
        } else {
            return !findings.isUnsound("machines." + name + ".count");
        }
        return false;
    }

    private void notElastic(String place, String why, String fix) {
        findings.fault(Code.NOT_ELASTIC, places.ofKey(place), why, fix);
    }

    private void most(Name name, MachineGroup group, ElasticNodes nodes, String place) {
        int count = group.count().orElseThrow();
        if (nodes.max() <= count && !findings.isUnsound(place + ".max")) {
            findings.fault(
                    Code.WRONG_ORDER,
                    places.of(place + ".max"),
                    "machines." + name + ".count is " + count + ": so many are always there, and the group never gets"
                            + " another one.",
                    "Raise max, lower count, or remove the key.");
        }
    }

    private void names(Name name, MachineGroup group, ElasticNodes nodes, String place) {
        Map<String, Name> others = new HashMap<>();
        site.machines().keySet().stream()
                .filter(other -> !other.equals(name))
                .forEach(other -> site.machineNames(other).forEach(machine -> others.put(machine, other)));
        for (int number = group.count().orElseThrow() + 1; number <= nodes.max(); number++) {
            var other = others.get(name + "-" + number);
            if (other != null) {
                findings.fault(
                        Code.MACHINE_NAME_TWICE,
                        places.ofKey(place),
                        "The groups " + other + " and " + name + " would both have a machine " + name + "-" + number
                                + ".",
                        "Rename one of the groups.");
                return;
            }
        }
    }

    private void idle(ElasticNodes nodes, String place) {
        if (nodes.idle().duration().compareTo(LEAST_IDLE) < 0 && !findings.isUnsound(place + ".idle")) {
            findings.fault(
                    Code.WRONG_ORDER,
                    places.of(place + ".idle"),
                    nodes.idle() + " is less than what it takes to submit the next job.",
                    "Take 30s or more; minutes are usual.");
        }
    }
}
