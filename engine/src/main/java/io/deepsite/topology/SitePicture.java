package io.deepsite.topology;

import io.deepsite.text.Svg;

/** Topology and order of a site as one SVG file. */
public final class SitePicture {
    private SitePicture() {}

    /** Ends with a line break. */
    public static String svg(StageGraph graph) {
        var topology = new TopologyPicture(graph.topology());
        var order = new OrderPicture(graph, TopologyPicture.WIDTH);
        double width = order.width();
        var whole = new Svg()
                .add(topology.svg(), (width - TopologyPicture.WIDTH) / 2, 0)
                .add(order.svg(), 0, topology.height());
        return whole.file(
                topology.title() + ", and the order in which it is configured",
                topology.description(),
                width,
                topology.height() + order.height());
    }
}
