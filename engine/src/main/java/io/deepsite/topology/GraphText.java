package io.deepsite.topology;

import io.deepsite.site.SiteNetwork;
import io.deepsite.topology.StageGraph.Kind;
import io.deepsite.topology.StageGraph.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Topology and order of a site in the languages of other programs that draw: Mermaid and DOT. */
public final class GraphText {
    private static final String SITE = "site";

    private GraphText() {}

    /** Colours of what a picture shows, on any ground. */
    private record Colour(String name, String fill, String stroke) {}

    private static final Colour MACHINE = new Colour("machine", "#e7f3ff", "#0550ae");
    private static final Colour NETWORK = new Colour("network", "#dff5f4", "#0b6a70");
    private static final Colour PROOF = new Colour("proof", "#fff8c5", "#7d4e00");
    private static final Colour OF_SITE = new Colour(SITE, "#f6f8fa", "#59636e");
    private static final List<Colour> CLUSTERS = List.of(
            new Colour("cluster0", "#f7f0ff", "#6639ba"),
            new Colour("cluster1", "#fff1e5", "#953800"),
            new Colour("cluster2", "#ffeff7", "#99286e"));

    /** Ends with a line break. */
    public static String mermaid(StageGraph graph) {
        var lines = new ArrayList<String>();
        lines.add("flowchart TB");
        var networks = graph.topology().networks();
        for (int i = 0; i < networks.size(); i++) {
            lines.add("  network" + i + "([\"" + mermaid(words(networks.get(i))) + "\"]):::network");
        }
        graph.byCluster().forEach((cluster, nodes) -> {
            if (!cluster.isEmpty()) {
                lines.add("  subgraph " + StageGraph.id("cluster." + cluster) + "[\"" + mermaid(title(graph, cluster))
                        + "\"]");
            }
            nodes.forEach(node -> lines.add((cluster.isEmpty() ? "  " : "    ") + mermaid(graph, node)));
            if (!cluster.isEmpty()) {
                lines.add("  end");
            }
        });
        machines(graph).forEach(node -> {
            for (int i = 0; i < networks.size(); i++) {
                lines.add("  network" + i + " --- " + node.id());
            }
        });
        graph.edges()
                .forEach(edge -> lines.add("  " + edge.from() + (edge.everyHost() ? " ==> " : " --> ") + edge.to()));
        used(graph)
                .forEach(colour -> lines.add("  classDef " + colour.name() + " fill:" + colour.fill() + ",stroke:"
                        + colour.stroke() + ",color:" + colour.stroke()));
        return String.join("\n", lines) + "\n";
    }

    /** Ends with a line break. */
    public static String dot(StageGraph graph) {
        var lines = new ArrayList<String>();
        lines.add("digraph site {");
        lines.add("  node [fontname=\"sans-serif\", fontsize=11, shape=box, style=filled];");
        var networks = graph.topology().networks();
        for (int i = 0; i < networks.size(); i++) {
            lines.add("  network" + i + " [label=" + quoted(words(networks.get(i)))
                    + ", shape=box, style=\"rounded,filled\"" + colours(NETWORK) + "];");
        }
        graph.byCluster().forEach((cluster, nodes) -> {
            if (!cluster.isEmpty()) {
                lines.add("  subgraph cluster_" + StageGraph.id(cluster) + " {");
                lines.add("    label=" + quoted(title(graph, cluster)) + ";");
            }
            nodes.forEach(node -> lines.add((cluster.isEmpty() ? "  " : "    ") + dot(graph, node)));
            if (!cluster.isEmpty()) {
                lines.add("  }");
            }
        });
        machines(graph).forEach(node -> {
            for (int i = 0; i < networks.size(); i++) {
                lines.add("  network" + i + " -> " + node.id() + " [dir=none];");
            }
        });
        graph.edges()
                .forEach(edge -> lines.add(
                        "  " + edge.from() + " -> " + edge.to() + (edge.everyHost() ? " [style=bold]" : "") + ";"));
        lines.add("}");
        return String.join("\n", lines) + "\n";
    }

    private static String mermaid(StageGraph graph, Node node) {
        var label = lines(graph, node).stream().map(GraphText::mermaid).collect(Collectors.joining("<br/>"));
        var shape = switch (node.kind()) {
            case MACHINES -> "[(\"" + label + "\")]";
            case STAGE -> "[\"" + label + "\"]";
            case PROOF -> "{{\"" + label + "\"}}";
        };
        return node.id() + shape + ":::" + colour(graph, node).name();
    }

    private static String dot(StageGraph graph, Node node) {
        var shape = switch (node.kind()) {
            case MACHINES -> "cylinder";
            case STAGE -> "box";
            case PROOF -> "hexagon";
        };
        return node.id() + " [label=" + quoted(String.join("\n", lines(graph, node))) + ", shape=" + shape
                + colours(colour(graph, node)) + "];";
    }

    /** What a node says; a group of machines also what it has. */
    private static List<String> lines(StageGraph graph, Node node) {
        var lines = new ArrayList<String>();
        lines.add(node.title());
        if (!node.on().equals(node.title())) {
            lines.add(node.on());
        }
        if (node.kind() == Kind.MACHINES) {
            graph.topology().groups().stream()
                    .filter(group -> group.name().equals(node.title()))
                    .forEach(group -> {
                        if (group.hosts().size() > 1) {
                            lines.add(group.hosts().size() + " machines");
                        }
                        if (!group.size().isEmpty()) {
                            lines.add(group.size());
                        }
                        lines.addAll(group.gpus());
                        group.passed().forEach(device -> lines.add("for VMs: " + device));
                    });
        }
        return lines;
    }

    private static List<Node> machines(StageGraph graph) {
        return graph.nodes().stream()
                .filter(node -> node.kind() == Kind.MACHINES)
                .toList();
    }

    private static String title(StageGraph graph, String cluster) {
        return graph.topology().clusters().stream()
                .filter(one -> one.name().equals(cluster))
                .findFirst()
                .map(one -> one.name() + ": " + one.kind())
                .orElse(cluster);
    }

    private static Colour colour(StageGraph graph, Node node) {
        int cluster = graph.clusterIndex(node);
        return switch (node.kind()) {
            case MACHINES -> MACHINE;
            case PROOF -> PROOF;
            case STAGE -> cluster < 0 ? OF_SITE : CLUSTERS.get(cluster % CLUSTERS.size());
        };
    }

    private static List<Colour> used(StageGraph graph) {
        var used = new ArrayList<Colour>();
        if (!graph.topology().networks().isEmpty()) {
            used.add(NETWORK);
        }
        var names = graph.nodes().stream()
                .map(node -> colour(graph, node).name())
                .collect(Collectors.toCollection(TreeSet::new));
        var all = new ArrayList<>(List.of(MACHINE, OF_SITE));
        all.addAll(CLUSTERS);
        all.add(PROOF);
        all.stream().filter(colour -> names.contains(colour.name())).forEach(used::add);
        return used;
    }

    private static String words(SiteNetwork network) {
        return "network " + network.name()
                + network.range().map(range -> " " + range).orElse("");
    }

    private static String colours(Colour colour) {
        return ", fillcolor=\"" + colour.fill() + "\", color=\"" + colour.stroke() + "\", fontcolor=\""
                + colour.stroke() + "\"";
    }

    /** Entities, as Mermaid has them: names of hosts may come from an inventory. */
    private static String mermaid(String text) {
        return text.replace("#", "#35;")
                .replace("\"", "#quot;")
                .replace("<", "#lt;")
                .replace(">", "#gt;");
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
