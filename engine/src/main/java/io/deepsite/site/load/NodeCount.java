package io.deepsite.site.load;

import java.util.IdentityHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** How many nodes a walk through a document meets, counted without walking it: each node is looked at once. */
final class NodeCount {
    private static final long OPEN = -1;

    private final IdentityHashMap<Node, Long> counts = new IdentityHashMap<>();
    private @Nullable Node circle;

    long of(Node node) {
        var known = counts.putIfAbsent(node, OPEN);
        if (known != null) {
            if (known == OPEN && circle == null) {
                circle = node;
            }
            return Math.max(known, 0);
        }
        long count = 1;
        switch (node) {
            case MappingNode mapping -> {
                for (var tuple : mapping.getValue()) {
                    count = sum(count, sum(of(tuple.getKeyNode()), of(tuple.getValueNode())));
                }
            }
            case SequenceNode sequence -> {
                for (var entry : sequence.getValue()) {
                    count = sum(count, of(entry));
                }
            }
            default -> {
                // A text holds no others.
            }
        }
        counts.put(node, count);
        return count;
    }

    /** A collection that holds itself, by an alias. */
    Optional<Node> circle() {
        return Optional.ofNullable(circle);
    }

    private static long sum(long one, long other) {
        return Math.min(one + other, Integer.MAX_VALUE);
    }
}
