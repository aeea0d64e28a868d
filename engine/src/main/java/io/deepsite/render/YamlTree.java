package io.deepsite.render;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** A YAML file of a role: values with their lines. */
sealed interface YamlTree {

    int line();

    /**
     * @param value text, number, boolean or null
     * @param line for a block scalar, that of its first line of text
     */
    record Scalar(@Nullable Object value, int line) implements YamlTree {}

    record Sequence(List<YamlTree> elements, int line) implements YamlTree {}

    record Mapping(Map<String, YamlTree> entries, int line) implements YamlTree {
        Optional<YamlTree> get(String key) {
            return Optional.ofNullable(entries.get(key));
        }
    }

    /** @throws Failure ROLE_FILE when the text is not YAML, or not a map */
    static Mapping read(RoleText source) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        try {
            var parser = new ParserImpl(new StreamReader(source.text()), options);
            var node = new Composer(parser, Conversion.RESOLVER, options).getSingleNode();
            if (node != null && new Conversion(source).convert(node) instanceof Mapping mapping) {
                return mapping;
            }
            throw new Failure(Diagnostic.error(
                    Code.ROLE_FILE,
                    source.where(1),
                    "The file holds no map.",
                    "docs/adr/0002-contracts.md is the format."));
        } catch (MarkedYAMLException e) {
            var mark = e.getProblemMark();
            throw new Failure(
                    Diagnostic.error(
                            Code.ROLE_FILE,
                            source.where(mark == null ? 1 : mark.getLine() + 1),
                            "It is not valid YAML: " + e.getProblem() + ".",
                            ""),
                    e);
        }
    }

    final class Conversion extends SafeConstructor {
        /** Which scalars are numbers and truth values. Made once: it compiles a dozen patterns. */
        private static final Resolver RESOLVER = new Resolver();

        private final RoleText source;

        private Conversion(RoleText source) {
            super(new LoaderOptions());
            this.source = source;
        }

        YamlTree convert(Node node) {
            int line = node.getStartMark().getLine() + 1;
            return switch (node) {
                case ScalarNode scalar -> new Scalar(constructObject(scalar), line + (isBlock(scalar) ? 1 : 0));
                case SequenceNode sequence -> {
                    var elements = new ArrayList<YamlTree>();
                    sequence.getValue().forEach(element -> elements.add(convert(element)));
                    yield new Sequence(List.copyOf(elements), line);
                }
                case MappingNode mapping -> {
                    var entries = new LinkedHashMap<String, YamlTree>();
                    mapping.getValue().forEach(tuple -> {
                        var key = ((ScalarNode) tuple.getKeyNode()).getValue();
                        if (entries.put(key, convert(tuple.getValueNode())) != null) {
                            throw new Failure(Diagnostic.error(
                                    Code.ROLE_FILE,
                                    source.where(
                                            tuple.getKeyNode().getStartMark().getLine() + 1),
                                    "The key " + key + " appears twice.",
                                    "Remove one."));
                        }
                    });
                    yield new Mapping(entries, line);
                }
                default ->
                    throw new Failure(
                            Diagnostic.error(Code.ROLE_FILE, source.where(line), "Roles use no YAML anchors.", ""));
            };
        }

        private static boolean isBlock(ScalarNode node) {
            return node.getScalarStyle() == ScalarStyle.LITERAL || node.getScalarStyle() == ScalarStyle.FOLDED;
        }
    }
}
