package io.deepsite.site.load;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** The kinds of the clusters of a site.yaml, by name; of one with faults, too, as far as it can be read. */
public final class NamedKinds {
    private NamedKinds() {}

    /** Empty where there is no such file. */
    public static Map<String, String> of(Path file) {
        var findings = new Findings();
        var reader = new YamlReader(findings);
        var kinds = new LinkedHashMap<String, String>();
        reader.text(file).ifPresent(text -> {
            var root = reader.root(new SourceText(file.toString(), text));
            if (below(root, "clusters") instanceof MappingNode clusters) {
                for (var cluster : clusters.getValue()) {
                    if (cluster.getKeyNode() instanceof ScalarNode name
                            && below(cluster.getValueNode(), "kind") instanceof ScalarNode kind) {
                        kinds.put(name.getValue(), kind.getValue());
                    }
                }
            }
        });
        return kinds;
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
