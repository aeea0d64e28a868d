package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.stage;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.NamedGroup;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The metrics of a Slurm cluster: what the key {@code monitoring} adds to it. Nothing without the key. */
final class SlurmMonitoring {
    static final int PORT = 9100;

    private final Site site;
    private final Name name;
    private final Slurm slurm;

    SlurmMonitoring(Site site, Name name, Slurm slurm) {
        this.site = site;
        this.name = name;
        this.slurm = slurm;
    }

    void check(CheckContext context) {
        slurm.monitoring()
                .ifPresent(monitoring -> NamedGroup.of(monitoring.groups(), "clusters." + name + ".monitoring.groups")
                        .forEach(context::groupExists));
    }

    /** From the controller, too: acceptance asks every machine from there. */
    List<Flow> flows() {
        var flows = new ArrayList<Flow>();
        slurm.monitoring().ifPresent(monitoring -> {
            var readers = new LinkedHashSet<>(monitoring.groups());
            readers.add(slurm.controller());
            readers.forEach(reader ->
                    slurm.groups().forEach(group -> flows.add(new Flow(reader, group, "tcp", Integer.toString(PORT)))));
        });
        return flows;
    }

    List<Stage> stages(List<Machine> machines) {
        return slurm.monitoring().stream()
                .flatMap(monitoring -> {
                    var scrapers = scrapers(monitoring, machines);
                    var exporters = stage(
                            name,
                            "node_exporter",
                            in(slurm.groups(), machines),
                            _ -> Map.of("node_exporter_scrapers", scrapers),
                            List.of());
                    var metrics = stage(
                            name,
                            "slurm_metrics",
                            in(slurm.controller(), machines),
                            _ -> Map.of("slurm_metrics_cluster", name.value()),
                            List.of(exporters.name(), name + ".slurm_controller"));
                    return List.of(exporters, metrics).stream();
                })
                .toList();
    }

    List<Acceptance> acceptance(List<Machine> machines) {
        return slurm.monitoring().stream()
                .map(monitoring -> {
                    var controller = in(slurm.controller(), machines).getFirst();
                    var variables = new TreeMap<String, Object>();
                    variables.put("monitoring_verify_user", SiteStages.VERIFY_USER);
                    variables.put("monitoring_verify_cluster", name.value());
                    variables.put("monitoring_verify_port", PORT);
                    variables.put("monitoring_verify_controller", SiteStages.address(controller));
                    variables.put(
                            "monitoring_verify_machines",
                            in(slurm.groups(), machines).stream()
                                    .map(machine ->
                                            Map.of("name", machine.name(), "address", SiteStages.address(machine)))
                                    .toList());
                    variables.put(
                            "monitoring_verify_strangers",
                            SlurmKind.nodes(slurm, machines).stream()
                                    .filter(node -> !mayRead(monitoring, node))
                                    .map(Machine::name)
                                    .toList());
                    variables.put(
                            "monitoring_verify_nodes",
                            new SlurmElastic(site, slurm).all(machines).size());
                    return new Acceptance(
                            name.value(), slurm.kind(), controller.name(), "slurm/verify-monitoring.sh.j2", variables);
                })
                .toList();
    }

    private static boolean mayRead(Monitoring monitoring, Machine node) {
        // Whether a range has an address that is not known yet cannot be said.
        return monitoring.groups().contains(node.group())
                || (node.address().isEmpty() && !monitoring.addresses().isEmpty())
                || node.address()
                        .map(IpAddress::parse)
                        .filter(address -> monitoring.addresses().stream().anyMatch(range -> range.contains(address)))
                        .isPresent();
    }

    private List<Map<String, Object>> scrapers(Monitoring monitoring, List<Machine> machines) {
        var groups = new LinkedHashSet<Name>();
        groups.add(slurm.controller());
        groups.addAll(monitoring.groups());
        return Readers.of(groups, monitoring.addresses(), machines);
    }
}
