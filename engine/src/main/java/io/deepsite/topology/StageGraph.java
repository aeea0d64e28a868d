package io.deepsite.topology;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.Stage;
import io.deepsite.text.HostNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The order in which a site is configured: groups of machines, stages, and the proof of each cluster. */
public record StageGraph(Topology topology, List<Node> nodes, List<Edge> edges) {
    private static final String MACHINES = "machines.";
    private static final String VERIFY = "verify.";

    public StageGraph {
        nodes = List.copyOf(nodes);
        edges = List.copyOf(edges);
    }

    /**
     * @param id unique; letters, digits and underscores
     * @param cluster whose stage or proof it is; empty for the site's own
     * @param on the machines it is on
     */
    public record Node(String id, String cluster, String title, String on, Kind kind) {}

    public enum Kind {
        MACHINES,
        STAGE,
        PROOF
    }

    /**
     * @param everyHost whether a host of the second waits for all hosts of the first: because the stage does so, or because
     *     the first does not run there
     */
    public record Edge(String from, String to, boolean everyHost) {}

    /**
     * @param stages of one machine of each group, or of all
     * @param acceptance of the same
     * @param groupOf the group of each of these machines
     */
    public static StageGraph of(
            Topology topology, List<Stage> stages, List<Acceptance> acceptance, Map<String, String> groupOf) {
        var labels = topology.groups().stream()
                .collect(Collectors.toMap(Topology.Group::name, Topology.Group::label, (one, _) -> one));
        var byName = stages.stream().collect(Collectors.toMap(Stage::name, stage -> stage));
        var nodes = new ArrayList<Node>();
        var edges = new LinkedHashSet<Edge>();
        topology.groups()
                .forEach(group -> nodes.add(new Node(
                        id(MACHINES + group.name()),
                        "",
                        group.name(),
                        group.known() ? group.label() : Topology.Group.UNKNOWN,
                        Kind.MACHINES)));
        for (var stage : stages) {
            var groups = groups(stage, groupOf);
            int dot = stage.name().indexOf('.');
            var owner = dot < 0 ? "" : stage.name().substring(0, dot);
            nodes.add(new Node(
                    id(stage.name()),
                    topology.clusters().stream()
                                    .anyMatch(cluster -> cluster.name().equals(owner))
                            ? owner
                            : "",
                    stage.name().substring(dot + 1),
                    groups.stream()
                            .map(group -> labels.getOrDefault(group, group))
                            .sorted(HostNames::compare)
                            .collect(Collectors.joining(", ")),
                    Kind.STAGE));
            stage.needs()
                    .forEach(need -> edges.add(new Edge(
                            id(need), id(stage.name()), stage.everyHost() || !runsOnAllOf(byName.get(need), stage))));
            groups.stream()
                    .filter(group -> stage.needs().stream().noneMatch(need -> runsOn(byName.get(need), group, groupOf)))
                    .forEach(group -> edges.add(new Edge(id(MACHINES + group), id(stage.name()), false)));
        }
        var needed = stages.stream().flatMap(stage -> stage.needs().stream()).collect(Collectors.toSet());
        acceptance.forEach(proof -> {
            var group = groupOf.getOrDefault(proof.host(), proof.host());
            nodes.add(new Node(
                    id(VERIFY + proof.cluster() + "." + group),
                    proof.cluster(),
                    "verify",
                    proof.kind() + " on " + labels.getOrDefault(group, group),
                    Kind.PROOF));
            stages.stream()
                    .map(Stage::name)
                    .filter(name -> name.startsWith(proof.cluster() + ".") && !needed.contains(name))
                    .forEach(name -> edges.add(new Edge(id(name), id(VERIFY + proof.cluster() + "." + group), true)));
        });
        return new StageGraph(topology, nodes, List.copyOf(edges));
    }

    private static boolean runsOn(@Nullable Stage needed, String group, Map<String, String> groupOf) {
        return needed != null && groups(needed, groupOf).contains(group);
    }

    private static boolean runsOnAllOf(@Nullable Stage needed, Stage stage) {
        return needed != null && needed.hosts().containsAll(stage.hosts());
    }

    /** Nodes by cluster; those of the site itself, without one, first. */
    Map<String, List<Node>> byCluster() {
        var boxes = new LinkedHashMap<String, List<Node>>();
        nodes.forEach(node ->
                boxes.computeIfAbsent(node.cluster(), _ -> new ArrayList<>()).add(node));
        return boxes;
    }

    /** The place of the node's cluster in the site; negative for none. */
    int clusterIndex(Node node) {
        for (int i = 0; i < topology.clusters().size(); i++) {
            if (topology.clusters().get(i).name().equals(node.cluster())) {
                return i;
            }
        }
        return -1;
    }

    private static Set<String> groups(Stage stage, Map<String, String> groupOf) {
        return stage.hosts().stream()
                .map(host -> groupOf.getOrDefault(host, host))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static String id(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_");
    }
}
