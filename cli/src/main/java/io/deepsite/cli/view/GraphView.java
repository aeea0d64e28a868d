package io.deepsite.cli.view;

import io.deepsite.plan.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The order of a plan: machine groups, stages with their hosts, acceptance; as Mermaid or DOT. */
public final class GraphView {
    private final List<Node> nodes = new ArrayList<>();
    private final Set<Edge> edges = new LinkedHashSet<>();

    /** @param box the cluster whose box it is drawn in; empty for none */
    private record Node(String id, String box, String title, String hosts, Shape shape) {}

    private enum Shape {
        MACHINES,
        STAGE,
        PROOF
    }

    /** @param everyHost whether the second waits for all hosts of the first, not only for its own */
    private record Edge(String from, String to, boolean everyHost) {}

    public GraphView(Plan plan) {
        machines(plan);
        stages(plan);
        proofs(plan);
    }

    /** Ends with a line break. */
    public String mermaid() {
        var lines = new Lines().add(0, "flowchart LR");
        boxes().forEach((box, inside) -> {
            int indent = box.isEmpty() ? 2 : 4;
            if (!box.isEmpty()) {
                lines.add(2, "subgraph " + id(box) + "[\"" + box + "\"]");
            }
            inside.forEach(node -> lines.add(indent, mermaid(node)));
            if (!box.isEmpty()) {
                lines.add(2, "end");
            }
        });
        edges.forEach(edge -> lines.add(2, edge.from() + (edge.everyHost() ? " ==> " : " --> ") + edge.to()));
        return lines.toString();
    }

    /** Ends with a line break. */
    public String dot() {
        var lines = new Lines()
                .add(0, "digraph site {")
                .add(2, "rankdir=LR;")
                .add(2, "node [fontname=\"sans-serif\", fontsize=11, shape=box];");
        boxes().forEach((box, inside) -> {
            int indent = box.isEmpty() ? 2 : 4;
            if (!box.isEmpty()) {
                lines.add(2, "subgraph cluster_" + id(box) + " {").add(4, "label=" + quoted(box) + ";");
            }
            inside.forEach(node -> lines.add(indent, dot(node)));
            if (!box.isEmpty()) {
                lines.add(2, "}");
            }
        });
        edges.forEach(edge ->
                lines.add(2, edge.from() + " -> " + edge.to() + (edge.everyHost() ? " [style=bold]" : "") + ";"));
        return lines.add(0, "}").toString();
    }

    private void machines(Plan plan) {
        var groups = new LinkedHashMap<String, List<String>>();
        plan.machines().values().stream()
                .sorted((one, other) -> HostNames.compare(one.name(), other.name()))
                .forEach(machine -> groups.computeIfAbsent(machine.group().value(), _ -> new ArrayList<>())
                        .add(machine.name()));
        groups.forEach((group, hosts) ->
                nodes.add(new Node(id("machines." + group), "", group, HostNames.brief(hosts), Shape.MACHINES)));
    }

    private void stages(Plan plan) {
        for (var stage : plan.stages()) {
            int dot = stage.name().indexOf('.');
            nodes.add(new Node(
                    id(stage.name()),
                    dot < 0 ? "" : stage.name().substring(0, dot),
                    stage.name().substring(dot + 1),
                    HostNames.brief(stage.hosts()),
                    Shape.STAGE));
            stage.needs().forEach(need -> edges.add(new Edge(id(need), id(stage.name()), stage.everyHost())));
            if (stage.needs().isEmpty()) {
                groupsOf(plan, stage.hosts())
                        .forEach(group -> edges.add(new Edge(id("machines." + group), id(stage.name()), false)));
            }
        }
    }

    private void proofs(Plan plan) {
        for (var proof : plan.proofs()) {
            var id = id("verify." + proof.cluster());
            nodes.add(new Node(id, proof.cluster(), "verify", proof.kind() + " on " + proof.host(), Shape.PROOF));
            var needed = new TreeSet<String>();
            plan.stages().forEach(stage -> needed.addAll(stage.needs()));
            plan.stages().stream()
                    .filter(stage -> stage.name().startsWith(proof.cluster() + ".") && !needed.contains(stage.name()))
                    .forEach(stage -> edges.add(new Edge(id(stage.name()), id, true)));
        }
    }

    private static Set<String> groupsOf(Plan plan, List<String> hosts) {
        var groups = new TreeSet<String>();
        hosts.forEach(host -> {
            var machine = plan.machines().get(host);
            if (machine != null) {
                groups.add(machine.group().value());
            }
        });
        return groups;
    }

    private Map<String, List<Node>> boxes() {
        var boxes = new LinkedHashMap<String, List<Node>>();
        nodes.forEach(node ->
                boxes.computeIfAbsent(node.box(), _ -> new ArrayList<>()).add(node));
        return boxes;
    }

    private static String mermaid(Node node) {
        var label = "\"" + node.title() + "<br/><small>" + node.hosts() + "</small>\"";
        return node.id()
                + switch (node.shape()) {
                    case MACHINES -> "[(" + label + ")]";
                    case STAGE -> "[" + label + "]";
                    case PROOF -> "{{" + label + "}}";
                };
    }

    private static String dot(Node node) {
        var shape = switch (node.shape()) {
            case MACHINES -> "cylinder";
            case STAGE -> "box";
            case PROOF -> "hexagon";
        };
        return node.id() + " [label=" + quoted(node.title() + "\\n" + node.hosts()) + ", shape=" + shape + "];";
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\"", "\\\"") + "\"";
    }

    private static String id(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_");
    }
}
