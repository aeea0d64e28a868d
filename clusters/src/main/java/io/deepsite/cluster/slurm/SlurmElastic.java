package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;

import io.deepsite.cluster.Elastic;
import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The nodes of elastic groups, by Slurm's power saving. Slurm knows all that there may be from the start, as site.yaml
 * describes them, and learns their addresses when they register: its configuration is the same whichever of them exist.
 */
record SlurmElastic(Site site, Slurm slurm) {
    static final String PROGRAM = "/usr/local/sbin/deepsite-slurm-elastic";

    /** Which the engine asks and tells. */
    static Optional<Elastic> of(Slurm slurm) {
        var most = new TreeMap<Name, Integer>();
        slurm.elastic().forEach((group, nodes) -> most.put(group, nodes.max()));
        return most.isEmpty() ? Optional.empty() : Optional.of(new Elastic(slurm.controller(), PROGRAM, most));
    }

    /** Machines that are always there. */
    List<Machine> lasting(List<Machine> machines) {
        return machines.stream().filter(machine -> !isElastic(machine)).toList();
    }

    boolean isElastic(Machine machine) {
        return slurm.elastic().containsKey(machine.group())
                && Optional.ofNullable(site.machines().get(machine.group()))
                        .flatMap(MachineGroup::count)
                        .filter(count -> number(machine) > count)
                        .isPresent();
    }

    private static int number(Machine machine) {
        return Integer.parseInt(machine.name().substring(machine.group().value().length() + 1));
    }

    /** Every node that there may be, in the order of the site, for Slurm's configuration. */
    List<Machine> all(List<Machine> machines) {
        var all = new ArrayList<Machine>();
        for (var group : slurm.compute()) {
            lasting(in(group, machines)).forEach(all::add);
            all.addAll(ofGroup(group));
        }
        return all;
    }

    /** Elastic nodes of a group, there or not. */
    List<Machine> ofGroup(Name group) {
        var nodes = new ArrayList<Machine>();
        var elastic = slurm.elastic().get(group);
        if (elastic != null) {
            var machines = Objects.requireNonNull(site.machines().get(group));
            for (int number = machines.count().orElse(elastic.max()) + 1; number <= elastic.max(); number++) {
                nodes.add(node(group, machines, number));
            }
        }
        return nodes;
    }

    private Machine node(Name group, MachineGroup machines, int number) {
        var name = group + "-" + number;
        return new Machine(
                name,
                group,
                Optional.of(new ResourceId(ResourceId.MACHINE, name)),
                site.provider().provider(),
                new Machine.Specs(
                        machines.cpus(),
                        machines.memory().mebibytes(),
                        site.provider().containers(group),
                        Machine.Gpu.numbered(machines.gpus())),
                new Machine.Ssh(Optional.empty(), site.ssh().port(), site.ssh().user(), Optional.empty()));
    }

    /** For the role of the programs that Slurm and deepsite call. */
    Map<String, Object> programs() {
        return Map.of(
                "slurm_elastic_nodes",
                slurm.elastic().keySet().stream()
                        .flatMap(group -> ofGroup(group).stream())
                        .map(Machine::name)
                        .toList(),
                "slurm_elastic_groups",
                groups().stream()
                        .map(group -> Map.of(
                                "name", Objects.requireNonNull(group.get("name")),
                                "nodes", Objects.requireNonNull(group.get("nodes"))))
                        .toList(),
                "slurm_elastic_verify_user",
                SiteStages.VERIFY_USER);
    }

    /** For each elastic group that is not always there as a whole: its nodes and the seconds after which an idle one goes. */
    List<Map<String, Object>> groups() {
        var groups = new ArrayList<Map<String, Object>>();
        slurm.elastic().forEach((name, nodes) -> {
            var names = ofGroup(name).stream().map(Machine::name).toList();
            if (!names.isEmpty()) {
                var group = new LinkedHashMap<String, Object>();
                group.put("name", name.value());
                group.put("nodes", names);
                group.put("idle_seconds", nodes.idle().duration().toSeconds());
                groups.add(group);
            }
        });
        return groups;
    }
}
