package io.deepsite.topology;

import io.deepsite.text.Palette;
import io.deepsite.text.Svg;
import io.deepsite.text.Svg.Anchor;
import io.deepsite.topology.StageGraph.Edge;
import io.deepsite.topology.StageGraph.Kind;
import io.deepsite.topology.StageGraph.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Draws the order of a site: machines on top, below them the stages, each below those that it waits for, then the proofs. */
public final class OrderPicture {
    private static final double MARGIN = 14;
    private static final double TITLE = 30;
    private static final double NODE = 196;
    private static final double PASSAGE = 16;
    private static final double HIGH = 44;
    private static final double BESIDE = 16;
    private static final double BETWEEN = 44;
    private static final double SPREAD = 16;
    private static final double LEGEND = 20;

    private final StageGraph graph;
    private final Layers layers;
    private final Map<Layers.Place, Double> middles = new HashMap<>();
    private final Svg svg = new Svg();
    private final double width;
    private double height;

    /** @param least at least so wide */
    public OrderPicture(StageGraph graph, double least) {
        this.graph = graph;
        this.layers = new Layers(graph.nodes().stream().map(Node::id).toList(), graph.edges());
        this.width = Math.max(
                least,
                2 * MARGIN
                        + layers.layers().stream()
                                .mapToDouble(OrderPicture::widthOf)
                                .max()
                                .orElse(0));
        place();
        draw();
    }

    public Svg svg() {
        return svg;
    }

    public double width() {
        return width;
    }

    public double height() {
        return height;
    }

    private void place() {
        for (var layer : layers.layers()) {
            double x = (width - widthOf(layer)) / 2;
            for (var place : layer) {
                double own = widthOf(place);
                middles.put(place, x + own / 2);
                x += own + BESIDE;
            }
        }
    }

    private void draw() {
        svg.text(MARGIN, MARGIN + 12, 15, width - 2 * MARGIN, Anchor.START, "ink bold", "Order of configuration");
        edges();
        var nodes = new HashMap<String, Node>();
        graph.nodes().forEach(node -> nodes.put(node.id(), node));
        for (int layer = 0; layer < layers.layers().size(); layer++) {
            for (var place : layers.layers().get(layer)) {
                if (!place.passes()) {
                    node(Objects.requireNonNull(nodes.get(place.node)), middle(place) - NODE / 2, top(layer));
                }
            }
        }
        height = legend(top(layers.layers().size()) - BETWEEN + 24);
    }

    private void node(Node node, double x, double y) {
        int cluster = graph.clusterIndex(node);
        var box = switch (node.kind()) {
            case MACHINES -> "machine";
            case STAGE -> Palette.cluster(cluster);
            case PROOF -> "proof";
        };
        var text = switch (node.kind()) {
            case MACHINES -> "of-machine";
            case STAGE -> cluster < 0 ? "ink" : Palette.ofCluster(cluster);
            case PROOF -> "of-proof";
        };
        svg.box(x, y, NODE, HIGH, node.kind() == Kind.STAGE ? 6 : HIGH / 2, box);
        svg.text(x + NODE / 2, y + 18, 13, NODE - 14, Anchor.MIDDLE, text + " bold", node.title());
        svg.text(x + NODE / 2, y + 35, 11, NODE - 14, Anchor.MIDDLE, text, node.on())
                .line();
    }

    /** Edges that end at one node do so side by side, in the order in which they come. */
    private void edges() {
        var starts = new HashMap<Edge, Double>();
        var ends = new HashMap<Edge, Double>();
        graph.nodes().forEach(node -> {
            spread(node.id(), true, starts);
            spread(node.id(), false, ends);
        });
        layers.routes().forEach((edge, route) -> {
            double x = Objects.requireNonNull(starts.get(edge));
            int layer = layerOf(route.getFirst());
            double y = top(layer) + HIGH;
            var data = new StringBuilder(point("M", x, y));
            for (int i = 1; i < route.size(); i++) {
                boolean last = i == route.size() - 1;
                double toX = last ? Objects.requireNonNull(ends.get(edge)) : middle(route.get(i));
                double toY = top(layer + i) - (last ? 6 : 0);
                double half = (y + toY) / 2;
                data.append(point("C", x, half)).append(point("", toX, half)).append(point("", toX, toY));
                x = toX;
                y = toY + (last ? 0 : HIGH);
                if (!last) {
                    data.append(point("L", x, y));
                }
            }
            svg.path(data.toString(), edge.everyHost() ? "every" : "same");
            svg.path(point("M", x - 4, y - 1) + point("L", x + 4, y - 1) + point("L", x, y + 6) + " Z", "head")
                    .line();
        });
    }

    private void spread(String node, boolean from, Map<Edge, Double> into) {
        var all = new ArrayList<>(layers.routes().entrySet());
        all.removeIf(one -> !(from ? one.getKey().from() : one.getKey().to()).equals(node));
        all.sort(Comparator.comparingDouble(one -> middle(neighbour(one.getValue(), from))));
        double step = all.isEmpty() ? 0 : Math.min(SPREAD, (NODE - 2 * HIGH) / all.size());
        for (int i = 0; i < all.size(); i++) {
            var route = all.get(i).getValue();
            var own = from ? route.getFirst() : route.getLast();
            into.put(all.get(i).getKey(), middle(own) + (i - (all.size() - 1) / 2.0) * step);
        }
    }

    private static Layers.Place neighbour(List<Layers.Place> route, boolean ofFirst) {
        return ofFirst ? route.get(1) : route.get(route.size() - 2);
    }

    /** Returns the end of the picture. */
    private double legend(double from) {
        double y = from + 12;
        double x = MARGIN;
        svg.line(x, y - 4, x + 26, y - 4, "every");
        svg.text(x + 34, y, 12, width - 60, Anchor.START, "soft", "waits for all hosts of the stage above");
        y += LEGEND;
        svg.line(x, y - 4, x + 26, y - 4, "same");
        svg.text(x + 34, y, 12, width - 60, Anchor.START, "soft", "waits for the same host only");
        y += LEGEND;
        for (var key : keys().entrySet()) {
            double needed = 34 + Svg.width(key.getValue(), 12) + 14;
            if (x + needed > width - MARGIN && x > MARGIN) {
                x = MARGIN;
                y += LEGEND;
            }
            svg.box(x, y - 11, 26, 13, 3, key.getKey());
            svg.text(x + 34, y, 12, width, Anchor.START, "soft", key.getValue());
            x += needed;
        }
        svg.line();
        return y + MARGIN;
    }

    private Map<String, String> keys() {
        var keys = new LinkedHashMap<String, String>();
        keys.put("machine", "machines");
        for (var node : graph.nodes()) {
            if (node.kind() == Kind.STAGE) {
                keys.putIfAbsent(
                        Palette.cluster(graph.clusterIndex(node)),
                        node.cluster().isEmpty() ? "the site" : "cluster " + node.cluster());
            }
        }
        if (graph.nodes().stream().anyMatch(node -> node.kind() == Kind.PROOF)) {
            keys.put("proof", "jobs that prove that it works");
        }
        return keys;
    }

    private int layerOf(Layers.Place place) {
        for (int i = 0; i < layers.layers().size(); i++) {
            if (layers.layers().get(i).contains(place)) {
                return i;
            }
        }
        throw new IllegalStateException("in no layer: " + place.node);
    }

    private double middle(Layers.Place place) {
        return Objects.requireNonNull(middles.get(place));
    }

    private static double top(int layer) {
        return MARGIN + TITLE + layer * (HIGH + BETWEEN);
    }

    private static double widthOf(List<Layers.Place> layer) {
        return layer.stream().mapToDouble(OrderPicture::widthOf).sum() + BESIDE * Math.max(0, layer.size() - 1);
    }

    private static double widthOf(Layers.Place place) {
        return place.passes() ? PASSAGE : NODE;
    }

    private static String point(String command, double x, double y) {
        return " " + command + Svg.number(x) + " " + Svg.number(y);
    }
}
