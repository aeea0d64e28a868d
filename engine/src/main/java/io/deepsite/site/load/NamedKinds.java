package io.deepsite.site.load;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** The kinds of the clusters of a site.yaml, by name, and its provider; of one with faults, too, as far as it can be read. */
public final class NamedKinds {
    private NamedKinds() {}

    /** Empty where there is no such file. */
    public static Map<String, String> of(Path file) {
        var reader = new YamlReader(new Findings());
        return reader.text(file)
                .map(text -> of(reader.root(new SourceText(file.toString(), text))))
                .orElse(Map.of());
    }

    /** @param root of a site.yaml; null for one that cannot be read */
    static Map<String, String> of(@Nullable Node root) {
        var kinds = new LinkedHashMap<String, String>();
        if (below(root, "clusters") instanceof MappingNode clusters) {
            for (var cluster : clusters.getValue()) {
                if (cluster.getKeyNode() instanceof ScalarNode name
                        && below(cluster.getValueNode(), "kind") instanceof ScalarNode kind) {
                    kinds.put(name.getValue(), kind.getValue());
                }
            }
        }
        return kinds;
    }

    /** The one provider that a site.yaml names. */
    static Optional<String> provider(@Nullable Node root) {
        return below(root, "provider") instanceof MappingNode provider
                        && provider.getValue().size() == 1
                        && provider.getValue().getFirst().getKeyNode() instanceof ScalarNode name
                ? Optional.of(name.getValue())
                : Optional.empty();
    }

    private static @Nullable Node below(@Nullable Node node, String key) {
        return node instanceof MappingNode mapping
                ? mapping.getValue().stream()
                        .filter(entry -> entry.getKeyNode() instanceof ScalarNode name
                                && name.getValue().equals(key))
                        .findFirst()
                        .map(entry -> entry.getValueNode())
                        .orElse(null)
                : null;
    }
}
