package io.deepsite.tosca;

import io.deepsite.tosca.Template.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Evaluates the functions of TOSCA that depend on nothing but the template: get_input, get_property, concat, token. What
 * only exists once machines do (get_attribute, get_artifact) has no value.
 */
final class Functions {
    /** A property may ask for another one; a template that goes in circles ends here. */
    private static final int DEEPEST = 20;

    private final Inputs inputs;
    private final Map<String, Node> nodes;

    Functions(Inputs inputs, Map<String, Node> nodes) {
        this.inputs = inputs;
        this.nodes = nodes;
    }

    /** Without functions; {@link Value.Text#NONE} for what has no value before the site exists. */
    Value resolve(Node self, Value value) {
        return resolve(self, value, 0);
    }

    /** The input that is the whole value, if it is one. */
    Optional<String> inputOf(Value value) {
        return value.entries().size() == 1 ? value.get("get_input").text().filter(inputs::has) : Optional.empty();
    }

    private Value resolve(Node self, Value value, int depth) {
        if (depth > DEEPEST) {
            return Value.Text.NONE;
        }
        return switch (value) {
            case Value.Text text -> text;
            case Value.Items list ->
                new Value.Items(
                        list.items().stream()
                                .map(each -> resolve(self, each, depth + 1))
                                .toList(),
                        list.line());
            case Value.Entries map
            when map.entries().size() == 1 -> {
                var entry = map.entries().entrySet().iterator().next();
                yield switch (entry.getKey()) {
                    case "get_input" -> input(self, entry.getValue(), depth);
                    case "get_property" -> property(self, entry.getValue().items(), depth);
                    case "concat" -> concat(self, entry.getValue(), depth);
                    case "token" -> token(self, entry.getValue().items(), depth);
                    case "get_attribute", "get_artifact", "get_operation_output", "get_nodes_of_type" ->
                        Value.Text.NONE;
                    default -> each(self, map, depth);
                };
            }
            case Value.Entries map -> each(self, map, depth);
        };
    }

    private Value each(Node self, Value.Entries map, int depth) {
        var resolved = new LinkedHashMap<String, Value>();
        map.entries().forEach((key, value) -> resolved.put(key, resolve(self, value, depth + 1)));
        return new Value.Entries(resolved, map.line());
    }

    /** {@code get_input: name}, or {@code get_input: [name, key or index …]}. */
    private Value input(Node self, Value argument, int depth) {
        var path = argument.text().isPresent() ? List.of(argument) : argument.items();
        return path.isEmpty()
                ? Value.Text.NONE
                : below(
                        resolve(self, inputs.value(path.getFirst().text().orElse("")), depth + 1),
                        path.subList(1, path.size()));
    }

    /** {@code [SELF or HOST or a node, optional capability, property, key or index …]}. */
    private Value property(Node self, List<Value> path, int depth) {
        if (path.size() < 2) {
            return Value.Text.NONE;
        }
        var node = switch (path.getFirst().text().orElse("")) {
            case "SELF" -> self;
            case "HOST" ->
                self.required("host").stream().map(nodes::get).findFirst().orElse(null);
            case String name -> nodes.get(name);
        };
        if (node == null) {
            return Value.Text.NONE;
        }
        var name = path.get(1).text().orElse("");
        var capability = node.value().at("capabilities", name);
        var from = capability.isNone() ? node.properties() : capability.get("properties");
        var rest = path.subList(capability.isNone() ? 1 : 2, path.size());
        return resolve(node, below(from, rest), depth + 1);
    }

    private static Value below(Value from, List<Value> path) {
        Value value = from;
        for (var step : path) {
            var key = step.text().orElse("");
            value = value instanceof Value.Items list
                    ? key.matches("[0-9]{1,4}")
                                    && Integer.parseInt(key) < list.items().size()
                            ? list.items().get(Integer.parseInt(key))
                            : Value.Text.NONE
                    : value.get(key);
        }
        return value;
    }

    /** Has no value if one of its parts has none. */
    private Value concat(Node self, Value parts, int depth) {
        var text = new StringBuilder();
        for (var part : parts.items()) {
            if (!(resolve(self, part, depth + 1) instanceof Value.Text known) || known.isNone()) {
                return Value.Text.NONE;
            }
            text.append(known.written());
        }
        return new Value.Text(text.toString(), parts.line());
    }

    /** {@code [text, separator, index]}. */
    private Value token(Node self, List<Value> arguments, int depth) {
        var resolved = arguments.stream()
                .map(each -> resolve(self, each, depth + 1))
                .map(each -> each instanceof Value.Text text ? text.written() : "")
                .toList();
        if (resolved.size() != 3
                || resolved.get(1).isEmpty()
                || !resolved.get(2).matches("[0-9]{1,4}")) {
            return Value.Text.NONE;
        }
        var parts = resolved.getFirst().split(Pattern.quote(resolved.get(1)), -1);
        int index = Integer.parseInt(resolved.get(2));
        return index < parts.length ? new Value.Text(parts[index], 0) : Value.Text.NONE;
    }
}
