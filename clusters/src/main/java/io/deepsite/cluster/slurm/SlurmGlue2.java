package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.stage;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.ImageName;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.NamedGroup;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The cluster in a grid's information system: what the key {@code glue2} adds to it. Nothing without the key. */
final class SlurmGlue2 {
    static final int PORT = 2170;

    private final Site site;
    private final Name name;
    private final Slurm slurm;

    SlurmGlue2(Site site, Name name, Slurm slurm) {
        this.site = site;
        this.name = name;
        this.slurm = slurm;
    }

    void check(CheckContext context) {
        slurm.glue2()
                .ifPresent(glue2 -> NamedGroup.of(glue2.groups(), "clusters." + name + ".glue2.groups")
                        .forEach(context::groupExists));
    }

    List<Flow> flows() {
        return slurm.glue2().stream()
                .flatMap(glue2 -> glue2.groups().stream())
                .map(group -> new Flow(group, slurm.controller(), "tcp", Integer.toString(PORT)))
                .toList();
    }

    List<Stage> stages(List<Machine> machines) {
        return slurm.glue2().stream()
                .map(glue2 -> stage(
                        name,
                        "slurm_glue2",
                        in(slurm.controller(), machines),
                        head -> Map.of(
                                "slurm_glue2_site",
                                published(glue2, head, machines),
                                "slurm_glue2_readers",
                                Readers.of(new LinkedHashSet<>(glue2.groups()), glue2.addresses(), machines)),
                        List.of(name + ".slurm_controller")))
                .toList();
    }

    /** What Slurm does not know of itself. */
    private Map<String, Object> published(Glue2 glue2, Machine head, List<Machine> machines) {
        var published = new LinkedHashMap<String, Object>();
        published.put("domain", domain(glue2));
        published.put("cluster", name.value());
        published.put("endpoint", glue2.endpoint().orElseGet(() -> "ssh://" + SiteStages.address(head)));
        published.put("organisations", glue2.organisations());
        published.put("environments", environments(machines));
        return published;
    }

    private List<Map<String, Object>> environments(List<Machine> machines) {
        var all = new SlurmElastic(site, slurm).all(machines);
        return slurm.compute().stream()
                .filter(group -> !in(group, all).isEmpty())
                .map(group -> environment(group, in(group, all)))
                .toList();
    }

    private Map<String, Object> environment(Name group, List<Machine> nodes) {
        var image = Optional.ofNullable(site.machines().get(group))
                .flatMap(MachineGroup::image)
                .map(ImageName::value)
                .orElse("/")
                .split("/", 2);
        var environment = new LinkedHashMap<String, Object>();
        environment.put("name", group.value());
        environment.put("nodes", nodes.stream().map(Machine::name).toList());
        environment.put("osName", image[0]);
        environment.put("osVersion", image.length > 1 ? image[1] : "");
        environment.put(
                "virtual", nodes.stream().allMatch(node -> node.resource().isPresent()));
        environment.put("gpus", nodes.getFirst().gpus().size());
        return environment;
    }

    List<Acceptance> acceptance(List<Machine> machines) {
        return slurm.glue2().stream()
                .map(glue2 -> {
                    var nodes = SlurmKind.nodes(slurm, machines);
                    var variables = new TreeMap<String, Object>();
                    variables.put("glue2_verify_service", domain(glue2) + "_" + name);
                    variables.put(
                            "glue2_verify_partitions",
                            SlurmConfiguration.partitions(site, slurm, nodes).stream()
                                    .map(partition -> partition.get("name"))
                                    .toList());
                    variables.put(
                            "glue2_verify_slots",
                            nodes.stream().mapToInt(Machine::cpus).sum());
                    return new Acceptance(
                            name.value(),
                            slurm.kind(),
                            in(slurm.controller(), machines).getFirst().name(),
                            "slurm/verify-glue2.sh.j2",
                            variables);
                })
                .toList();
    }

    private String domain(Glue2 glue2) {
        return glue2.domain().orElse(site.name().value());
    }
}
