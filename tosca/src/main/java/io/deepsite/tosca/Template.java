package io.deepsite.tosca;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A template with what others lay over it.
 *
 * @param file the first one
 * @param content of all files together
 */
record Template(Path file, Value content) {
    private static final List<String> VERSIONS = List.of("tosca_simple_yaml_1_0", "tosca_simple_yaml_1_3");

    /**
     * A node of the topology, such as a machine or the front end of a cluster.
     *
     * @param value properties, capabilities, requirements
     */
    record Node(String name, String type, Value value) {
        Value properties() {
            return value.get("properties");
        }

        Value capability(String capability) {
            return value.at("capabilities", capability, "properties");
        }

        /** Names of the nodes that satisfy a requirement. */
        List<String> required(String requirement) {
            return value.get("requirements").items().stream()
                    .map(each -> each.get(requirement))
                    .map(target -> target.text().or(() -> target.get("node").text()))
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    /**
     * @param files the template, then those that are laid over it
     * @throws Failure TOSCA_UNREADABLE, TOSCA_VERSION
     */
    static Template read(List<Path> files) {
        var whole = read(files.getFirst());
        for (var file : files.subList(1, files.size())) {
            whole = whole.with(read(file));
        }
        return new Template(files.getFirst(), whole);
    }

    /**
     * Of one text.
     *
     * @param file as messages call it
     * @throws Failure TOSCA_UNREADABLE, TOSCA_VERSION
     */
    static Template read(String file, String text) {
        var value = TemplateReader.read(file, text);
        requireVersion(file, value);
        return new Template(Path.of(file), value);
    }

    private static Value read(Path file) {
        var value = TemplateReader.read(file);
        requireVersion(file.toString(), value);
        return value;
    }

    private static void requireVersion(String file, Value value) {
        var version = value.get("tosca_definitions_version");
        var name = version.text().orElse("");
        if (!VERSIONS.contains(name)) {
            throw new Failure(Diagnostic.error(
                    Code.TOSCA_VERSION,
                    new Where(file, version.line(), 0, 1, "tosca_definitions_version", null),
                    name.isEmpty()
                            ? "It has no tosca_definitions_version, so it is no template."
                            : "It is written in " + name + ", which has other words for nodes and functions.",
                    "deepsite reads " + String.join(" and ", VERSIONS) + "."));
        }
    }

    Map<String, Node> nodes() {
        var nodes = new LinkedHashMap<String, Node>();
        content.at("topology_template", "node_templates")
                .entries()
                .forEach((name, value) ->
                        nodes.put(name, new Node(name, value.get("type").text().orElse(""), value)));
        return nodes;
    }

    Map<String, Value> inputs() {
        return content.at("topology_template", "inputs").entries();
    }

    /** Named by type; a list of maps in the language, one entry each. */
    Map<String, Value> policies() {
        var policies = new LinkedHashMap<String, Value>();
        content.at("topology_template", "policies").items().forEach(each -> policies.putAll(each.entries()));
        return policies;
    }

    Optional<String> title() {
        return content.at("metadata", "display_name")
                .text()
                .or(() -> content.get("description").text());
    }

    /** Of an overlay: the template that it is laid over, as its metadata names it. */
    Optional<String> parent() {
        return content.at("metadata", "parents").items().stream()
                .map(Value::text)
                .flatMap(Optional::stream)
                .findFirst();
    }
}
