package io.deepsite.tosca;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.diag.Where;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads files of TOSCA into values with their lines. Constructs no objects, follows no imports. */
final class TemplateReader {
    private static final int LARGEST = 3 * 1024 * 1024;
    private static final int DEEPEST = 50;
    private static final int MOST_ALIASES = 50;
    /** With what aliases repeat. */
    private static final int MOST_VALUES = 200_000;

    private final String file;
    private int values;

    private TemplateReader(String file) {
        this.file = file;
    }

    /** @throws Failure TOSCA_UNREADABLE */
    static Value read(Path file) {
        var reader = new TemplateReader(file.toString());
        try {
            if (Files.size(file) > LARGEST) {
                throw reader.unreadable(0, "It has more than 3 MiB.", null);
            }
            return reader.read(Files.readString(file));
        } catch (IOException e) {
            throw reader.unreadable(0, "Reading it failed: " + FileFault.words(e) + ".", e);
        }
    }

    /**
     * @param file as messages call it
     * @throws Failure TOSCA_UNREADABLE
     */
    static Value read(String file, String text) {
        return new TemplateReader(file).read(text);
    }

    private Value read(String text) {
        try {
            var options = new LoaderOptions();
            options.setCodePointLimit(LARGEST);
            options.setNestingDepthLimit(DEEPEST);
            options.setMaxAliasesForCollections(MOST_ALIASES);
            var node = new Yaml(new SafeConstructor(options)).compose(new StringReader(text));
            if (!(node instanceof MappingNode)) {
                throw unreadable(0, "It is no map of keys.", null);
            }
            return value(node, 0);
        } catch (MarkedYAMLException e) {
            var mark = e.getProblemMark();
            throw unreadable(mark == null ? 0 : mark.getLine() + 1, "It is no YAML: " + e.getProblem() + ".", e);
        } catch (YAMLException e) {
            throw unreadable(0, "It is no YAML: " + e.getMessage() + ".", e);
        }
    }

    private Value value(Node node, int depth) {
        if (depth > DEEPEST) {
            // Also an alias that is part of what it stands for.
            throw unreadable(0, "It nests deeper than " + DEEPEST + " levels.", null);
        }
        if (++values > MOST_VALUES) {
            throw unreadable(0, "It has more than " + MOST_VALUES + " values.", null);
        }
        int line = node.getStartMark().getLine() + 1;
        return switch (node) {
            case ScalarNode scalar -> new Value.Text(scalar.getValue(), line);
            case SequenceNode list ->
                new Value.Items(
                        list.getValue().stream()
                                .map(item -> value(item, depth + 1))
                                .toList(),
                        line);
            case MappingNode map -> {
                var entries = new LinkedHashMap<String, Value>();
                for (var pair : map.getValue()) {
                    if (pair.getKeyNode() instanceof ScalarNode key) {
                        entries.put(key.getValue(), value(pair.getValueNode(), depth + 1));
                    }
                }
                yield new Value.Entries(entries, line);
            }
            default -> Value.Text.NONE;
        };
    }

    private Failure unreadable(int line, String why, @Nullable Throwable cause) {
        return new Failure(
                Diagnostic.error(
                        Code.TOSCA_UNREADABLE,
                        new Where(file, line, 0, 1, "", null),
                        why,
                        "Give the YAML file of a TOSCA template; an archive (CSAR) has to be unpacked first."),
                cause);
    }
}
