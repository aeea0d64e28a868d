package io.deepsite.cluster.kubernetes;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A kubeconfig: clusters, users and contexts, identified by name alone. Edited as YAML nodes, so that entries of other
 * programs keep their form: a numeric password keeps its leading zeros.
 */
final class KubeconfigFile {
    private static final List<String> LISTS = List.of("clusters", "users", "contexts");
    private static final String CURRENT = "current-context";
    private static final String NAME = "name";

    private final MappingNode root;

    private KubeconfigFile(MappingNode root) {
        this.root = root;
    }

    /**
     * @param file source of the text, for the message
     * @throws Failure FILE_NOT_WRITTEN if it is something else; an empty text is a kubeconfig without entries
     */
    static KubeconfigFile read(String text, String file) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        Node node;
        try {
            node = new Yaml(new SafeConstructor(options)).compose(new StringReader(text));
        } catch (YAMLException e) {
            throw refused(file, e);
        }
        if (node == null) {
            return new KubeconfigFile(new MappingNode(
                    Tag.MAP,
                    new ArrayList<>(List.of(tuple("apiVersion", text("v1")), tuple("kind", text("Config")))),
                    FlowStyle.BLOCK));
        }
        if (!(node instanceof MappingNode mapping)
                || get(mapping, "kind")
                        .flatMap(KubeconfigFile::word)
                        .filter("Config"::equals)
                        .isEmpty()
                || !LISTS.stream().allMatch(list -> isList(mapping, list))) {
            throw refused(file, null);
        }
        return new KubeconfigFile(mapping);
    }

    /**
     * Renames its one cluster, user and context: kubeadm gives the administrators of all clusters the same name.
     *
     * @param cluster the name; user and context become {@code <user>@<cluster>}
     */
    KubeconfigFile named(String cluster) {
        var user = entries("users").stream()
                .findFirst()
                .map(entry -> nameOf(entry) + "@" + cluster)
                .orElse(cluster);
        rename("clusters", cluster);
        rename("users", user);
        rename("contexts", user);
        entries("contexts").stream()
                .flatMap(entry -> get(entry, "context").stream())
                .filter(MappingNode.class::isInstance)
                .map(MappingNode.class::cast)
                .forEach(context -> {
                    put(context, "cluster", text(cluster));
                    put(context, "user", text(user));
                });
        put(root, CURRENT, text(user));
        return this;
    }

    /**
     * Adds the entries of another one, which replace entries with the same names.
     *
     * @param current whether its context becomes the current one; it does if there is none yet
     */
    KubeconfigFile with(KubeconfigFile fresh, boolean current) {
        for (var list : LISTS) {
            var entries = new ArrayList<>(entries(list));
            for (var entry : fresh.entries(list)) {
                int at = entries.stream().map(KubeconfigFile::nameOf).toList().indexOf(nameOf(entry));
                if (at < 0) {
                    entries.add(entry);
                } else {
                    entries.set(at, entry);
                }
            }
            put(root, list, new SequenceNode(Tag.SEQ, new ArrayList<Node>(entries), FlowStyle.BLOCK));
        }
        if (current || current().isEmpty()) {
            fresh.current().ifPresent(name -> put(root, CURRENT, text(name)));
        }
        return this;
    }

    /** The context that kubectl takes without being told. */
    Optional<String> current() {
        return get(root, CURRENT).flatMap(KubeconfigFile::word).filter(name -> !name.isEmpty());
    }

    String text() {
        var options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setWidth(Integer.MAX_VALUE);
        options.setSplitLines(false);
        var out = new StringWriter();
        try {
            new Yaml(options).serialize(root, out);
        } catch (YAMLException e) {
            throw new UncheckedIOException(new IOException(e));
        }
        return out.toString();
    }

    private void rename(String list, String name) {
        entries(list).forEach(entry -> put(entry, NAME, text(name)));
    }

    private List<MappingNode> entries(String list) {
        return get(root, list)
                .filter(SequenceNode.class::isInstance)
                .map(node -> ((SequenceNode) node)
                        .getValue().stream().map(MappingNode.class::cast).toList())
                .orElse(List.of());
    }

    private static boolean isList(MappingNode root, String list) {
        return get(root, list)
                .map(node -> node.getTag().equals(Tag.NULL)
                        || (node instanceof SequenceNode entries
                                && entries.getValue().stream()
                                        .allMatch(entry -> entry instanceof MappingNode each
                                                && !nameOf(each).isEmpty())))
                .orElse(true);
    }

    private static String nameOf(MappingNode entry) {
        return get(entry, NAME).flatMap(KubeconfigFile::word).orElse("");
    }

    private static Optional<String> word(Node node) {
        return node instanceof ScalarNode scalar ? Optional.of(scalar.getValue()) : Optional.empty();
    }

    private static Optional<Node> get(MappingNode mapping, String key) {
        return mapping.getValue().stream()
                .filter(tuple -> is(tuple, key))
                .map(NodeTuple::getValueNode)
                .findFirst();
    }

    private static void put(MappingNode mapping, String key, Node value) {
        var tuples = new ArrayList<>(mapping.getValue());
        int at = 0;
        while (at < tuples.size() && !is(tuples.get(at), key)) {
            at++;
        }
        if (at < tuples.size()) {
            tuples.set(at, new NodeTuple(tuples.get(at).getKeyNode(), value));
        } else {
            tuples.add(tuple(key, value));
        }
        mapping.setValue(tuples);
    }

    private static boolean is(NodeTuple tuple, String key) {
        return tuple.getKeyNode() instanceof ScalarNode scalar
                && scalar.getValue().equals(key);
    }

    private static NodeTuple tuple(String key, Node value) {
        return new NodeTuple(text(key), value);
    }

    private static ScalarNode text(String value) {
        return new ScalarNode(Tag.STR, value, null, null, ScalarStyle.PLAIN);
    }

    private static Failure refused(String file, @Nullable Throwable cause) {
        return new Failure(
                Diagnostic.error(
                        Code.FILE_NOT_WRITTEN,
                        file + " is no kubeconfig, so nothing can be added to it. Nothing was written.",
                        "Name another file, or move this one away."),
                cause);
    }
}
