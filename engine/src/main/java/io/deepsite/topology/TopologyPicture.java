package io.deepsite.topology;

import io.deepsite.site.SiteNetwork;
import io.deepsite.text.Palette;
import io.deepsite.text.Svg;
import io.deepsite.text.Svg.Anchor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Draws a topology: the networks of the machines on top, below them a box for each cluster, in it a card for each group of
 * equal machines. As wide as a page, as high as it has to be.
 */
public final class TopologyPicture {
    public static final double WIDTH = 760;

    private static final double MARGIN = 14;
    /** Left of the boxes, for the cable from the network. */
    private static final double CABLE = 18;

    private static final double GAP = 12;
    private static final int COLUMNS = 3;
    private static final double LINE = 18;
    private static final double NETWORK = 30;
    private static final double TITLE = 30;
    /** Behind the card of several machines. */
    private static final double STACK = 3;

    private final Topology topology;
    private final Svg svg = new Svg();
    private final double height;

    /** @param cluster its index in the topology; negative for machines of none */
    private record Frame(int cluster, String title, List<Topology.Group> groups, List<SiteNetwork> networks) {}

    public TopologyPicture(Topology topology) {
        this.topology = topology;
        this.height = draw();
    }

    public Svg svg() {
        return svg;
    }

    public double height() {
        return height;
    }

    public String title() {
        return "Topology of the site " + topology.site();
    }

    /** The picture in words, for those who do not see it. */
    public String description() {
        var groups = topology.groups().stream()
                .map(group ->
                        group.label() + (group.gpus().isEmpty() ? "" : " with " + String.join(", ", group.gpus())))
                .collect(Collectors.joining("; "));
        var clusters = topology.clusters().stream()
                .map(cluster -> cluster.name() + " (" + cluster.kind() + ")")
                .collect(Collectors.joining(", "));
        return "Machines made with " + topology.provider() + ": " + groups + "."
                + (clusters.isEmpty() ? "" : " Clusters: " + clusters + ".");
    }

    private double draw() {
        double y = MARGIN;
        svg.text(
                MARGIN,
                y + 12,
                15,
                WIDTH - 2 * MARGIN,
                Anchor.START,
                "ink bold",
                topology.site() + " on " + topology.provider());
        y += 24;
        for (var network : topology.networks()) {
            y = network(network, y);
        }
        double top = y - GAP;
        boolean cabled = !topology.networks().isEmpty();
        double last = y;
        var frames = new Svg();
        for (var frame : frames()) {
            last = y + TITLE / 2;
            if (cabled) {
                svg.line(MARGIN + CABLE / 2, last, MARGIN + CABLE, last, "cable");
            }
            y = frame(frames, frame, y) + GAP;
        }
        if (cabled) {
            svg.line(MARGIN + CABLE / 2, top, MARGIN + CABLE / 2, last, "cable");
        }
        svg.add(frames, 0, 0);
        return y - GAP + MARGIN;
    }

    private double network(SiteNetwork network, double y) {
        svg.box(MARGIN, y, WIDTH - 2 * MARGIN, NETWORK, 6, "network");
        svg.text(
                        MARGIN + 12,
                        y + 20,
                        13,
                        WIDTH - 2 * MARGIN - 24,
                        Anchor.START,
                        "of-network",
                        words("network " + network.name(), network))
                .line();
        return y + NETWORK + GAP;
    }

    /** A group belongs to the first cluster that has it; its card names the others. */
    private List<Frame> frames() {
        var of = new LinkedHashMap<Integer, List<Topology.Group>>();
        for (int i = 0; i < topology.clusters().size(); i++) {
            of.put(i, new ArrayList<>());
        }
        topology.groups()
                .forEach(group ->
                        of.computeIfAbsent(first(group), _ -> new ArrayList<>()).add(group));
        var frames = new ArrayList<Frame>();
        of.forEach((index, groups) -> {
            if (index >= 0) {
                var cluster = topology.clusters().get(index);
                frames.add(new Frame(index, cluster.name() + ": " + cluster.kind(), groups, cluster.networks()));
            }
        });
        Optional.ofNullable(of.get(-1))
                .ifPresent(groups -> frames.add(new Frame(
                        -1, topology.clusters().isEmpty() ? "machines" : "machines of no cluster", groups, List.of())));
        return frames;
    }

    private int first(Topology.Group group) {
        for (int i = 0; i < topology.clusters().size(); i++) {
            if (!topology.clusters().get(i).on(group.name()).isEmpty()) {
                return i;
            }
        }
        return -1;
    }

    private double frame(Svg out, Frame frame, double y) {
        double left = MARGIN + CABLE;
        double width = WIDTH - left - MARGIN;
        double card = (width - (COLUMNS + 1) * GAP) / COLUMNS;
        var inside = new Svg();
        double at = y + TITLE;
        for (int i = 0; i < frame.groups().size(); i += COLUMNS) {
            var row = frame.groups().subList(i, Math.min(frame.groups().size(), i + COLUMNS));
            double high = row.stream().mapToDouble(this::cardHeight).max().orElse(0);
            for (int column = 0; column < row.size(); column++) {
                card(inside, row.get(column), left + GAP + column * (card + GAP), at, card, high);
            }
            at += high + GAP;
        }
        for (var network : frame.networks()) {
            inside.text(
                            left + GAP,
                            at + 10,
                            12,
                            width - 2 * GAP,
                            Anchor.START,
                            "of-network",
                            words("network " + network.name(), network))
                    .line();
            at += LINE;
        }
        double end = at + (frame.networks().isEmpty() ? 0 : GAP / 2);
        out.box(left, y, width, end - y, 8, Palette.cluster(frame.cluster()));
        out.text(
                        left + GAP,
                        y + 20,
                        13,
                        width - 2 * GAP,
                        Anchor.START,
                        Palette.ofCluster(frame.cluster()) + " bold",
                        frame.title())
                .line();
        out.add(inside, 0, 0).line();
        return end;
    }

    private void card(Svg out, Topology.Group group, double x, double y, double width, double height) {
        int count = group.hosts().size();
        if (count != 1) {
            out.box(x + 2 * STACK, y + 2 * STACK, width, height - 2 * STACK, 6, "machine");
            out.box(x + STACK, y + STACK, width, height - 2 * STACK, 6, "machine");
        }
        out.box(x, y, width, height - 2 * STACK, 6, "machine").line();
        double text = width - 20;
        double at = y + 20;
        var number = count > 1 ? "× " + count : "";
        out.text(
                x + 10,
                at,
                13,
                text - Svg.width(number, 13) - (number.isEmpty() ? 0 : 6),
                Anchor.START,
                "of-machine bold",
                group.label());
        if (!number.isEmpty()) {
            out.text(x + width - 10, at, 13, 80, Anchor.END, "of-machine bold", number);
        }
        for (var line : lines(group)) {
            at += LINE;
            out.text(x + 10, at, 12, text, Anchor.START, "ink", line);
        }
        for (var line : devices(group)) {
            at += LINE;
            out.box(x + 8, at - 12, Math.min(text + 4, Svg.width(line, 12) + 8), 16, 3, "gpu");
            out.text(x + 12, at, 12, text - 4, Anchor.START, "of-gpu", line);
        }
        for (var part : parts(group).entrySet()) {
            at += LINE;
            out.text(x + 10, at, 12, text, Anchor.START, Palette.ofCluster(part.getKey()), part.getValue());
        }
        out.line();
    }

    private double cardHeight(Topology.Group group) {
        int more = lines(group).size() + devices(group).size() + parts(group).size();
        return 20 + LINE * more + 10 + 2 * STACK;
    }

    private static List<String> lines(Topology.Group group) {
        var lines = new ArrayList<String>();
        if (!group.known()) {
            lines.add(Topology.Group.UNKNOWN);
        }
        if (!group.size().isEmpty()) {
            lines.add(group.size());
        }
        group.configured()
                .filter(_ -> group.known())
                .ifPresent(count -> lines.add(count + " of " + group.hosts().size() + " configured"));
        return lines;
    }

    private static List<String> devices(Topology.Group group) {
        var lines = new ArrayList<String>();
        group.gpus().forEach(cards -> lines.add(cards + (group.hosts().size() == 1 ? "" : " each")));
        group.passed().forEach(device -> lines.add("for VMs: " + device));
        return lines;
    }

    /** By cluster. */
    private Map<Integer, String> parts(Topology.Group group) {
        var parts = new LinkedHashMap<Integer, String>();
        for (int i = 0; i < topology.clusters().size(); i++) {
            var on = topology.clusters().get(i).on(group.name());
            if (!on.isEmpty()) {
                parts.put(i, (parts.isEmpty() ? "" : topology.clusters().get(i).name() + ": ") + String.join(", ", on));
            }
        }
        return parts;
    }

    private static String words(String name, SiteNetwork network) {
        return name
                + network.range().map(range -> " " + range).orElse("")
                + (network.purpose().isEmpty() ? "" : ", " + network.purpose());
    }
}
