package io.deepsite.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Places the nodes of a graph without cycles in layers, each below all that it needs, and orders each layer so that few edges
 * cross. An edge over several layers gets a place of its own in each of them.
 */
final class Layers {
    private static final int SWEEPS = 8;

    private final List<List<Place>> layers = new ArrayList<>();
    private final Map<StageGraph.Edge, List<Place>> routes = new LinkedHashMap<>();

    /** Of a node, or of an edge that passes; then the node is empty. */
    static final class Place {
        final String node;
        final List<Place> above = new ArrayList<>();
        final List<Place> below = new ArrayList<>();
        int position;

        Place(String node) {
            this.node = node;
        }

        boolean passes() {
            return node.isEmpty();
        }
    }

    /** @param nodes each after all that it needs */
    Layers(List<String> nodes, List<StageGraph.Edge> edges) {
        var places = new HashMap<String, Place>();
        var depth = new HashMap<String, Integer>();
        for (var node : nodes) {
            int layer = edges.stream()
                    .filter(edge -> edge.to().equals(node))
                    .mapToInt(edge -> depth.getOrDefault(edge.from(), -1) + 1)
                    .max()
                    .orElse(0);
            depth.put(node, layer);
            var place = new Place(node);
            places.put(node, place);
            layer(layer).add(place);
        }
        for (var edge : edges) {
            if (depth.containsKey(edge.from()) && depth.containsKey(edge.to())) {
                route(edge, places, depth);
            }
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            sweep(sweep % 2 == 0);
        }
    }

    List<List<Place>> layers() {
        return layers;
    }

    /** From the first node of an edge to the second, a place in each layer. */
    Map<StageGraph.Edge, List<Place>> routes() {
        return routes;
    }

    private void route(StageGraph.Edge edge, Map<String, Place> places, Map<String, Integer> depth) {
        var route = new ArrayList<Place>();
        route.add(Objects.requireNonNull(places.get(edge.from())));
        int last = Objects.requireNonNull(depth.get(edge.to()));
        for (int layer = Objects.requireNonNull(depth.get(edge.from())) + 1; layer < last; layer++) {
            var passage = new Place("");
            layer(layer).add(passage);
            route.add(passage);
        }
        route.add(Objects.requireNonNull(places.get(edge.to())));
        for (int i = 1; i < route.size(); i++) {
            route.get(i - 1).below.add(route.get(i));
            route.get(i).above.add(route.get(i - 1));
        }
        routes.put(edge, route);
    }

    private List<Place> layer(int index) {
        while (layers.size() <= index) {
            layers.add(new ArrayList<>());
        }
        return layers.get(index);
    }

    /** Each place to the middle of its neighbours in the layer before; those without any stay. */
    private void sweep(boolean down) {
        for (var layer : layers) {
            number(layer);
        }
        for (var layer : down ? layers : layers.reversed()) {
            layer.sort(Comparator.comparingDouble(place -> middle(place, down ? place.above : place.below)));
            number(layer);
        }
    }

    private static void number(List<Place> layer) {
        for (int i = 0; i < layer.size(); i++) {
            layer.get(i).position = i;
        }
    }

    private static double middle(Place place, List<Place> neighbours) {
        return neighbours.stream()
                .mapToInt(neighbour -> neighbour.position)
                .average()
                .orElse(place.position);
    }
}
