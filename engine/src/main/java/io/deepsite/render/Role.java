package io.deepsite.render;

import io.deepsite.contract.Digests;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A role as read from its files, with every scalar of its contract parsed and checked.
 *
 * @param items in the order of contract.yml
 */
record Role(
        String name,
        RoleText contract,
        Map<String, ArgumentSpec> variables,
        List<Entry> items,
        List<Entry> actions,
        Path folder) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

    /** An entry of contract.yml: values by key, to be rendered where they are templates. */
    record Entry(Map<String, Value> values, int line) {
        Optional<Value> get(String key) {
            return Optional.ofNullable(values.get(key));
        }
    }

    /** A value of contract.yml, to be rendered. */
    sealed interface Value {
        int line();

        /** A number, boolean or null, or a text that is no template. */
        record Fixed(Optional<Object> value, int line) implements Value {}

        record Text(Template template, int line) implements Value {}

        record Many(List<Value> elements, int line) implements Value {}

        record Fields(Map<String, Value> entries, int line) implements Value {}
    }

    /** @throws Failure ROLE_MISSING, ROLE_FILE, TEMPLATE_SYNTAX, TEMPLATE_CONSTRUCT */
    static Role read(DeepsiteHome home, TemplateRenderer templates, String name) {
        var folder = home.role(name);
        if (!NAME.matcher(name).matches() || !Files.isDirectory(folder)) {
            throw new Failure(Diagnostic.error(
                    Code.ROLE_MISSING,
                    "There is no role " + name + " in " + RoleText.shown(home.roles()) + ".",
                    "It is a part of deepsite: install deepsite again, or put the role there."));
        }
        var variables = ArgumentSpec.read(RoleText.read(folder.resolve("meta/argument_specs.yml"), Code.ROLE_FILE));
        var contract = RoleText.read(folder.resolve("meta/contract.yml"), Code.ROLE_FILE);
        var tree = YamlTree.read(contract);
        for (var key : tree.entries().keySet()) {
            if (!key.equals("items") && !key.equals("actions")) {
                throw new Failure(Diagnostic.error(
                        Code.ROLE_FILE, contract.where(1), "A contract has items and actions, not " + key + ".", ""));
            }
        }
        var reader = new Reader(contract, templates, templates.isChecked(folder));
        return new Role(
                name, contract, variables, reader.entries(tree, "items"), reader.entries(tree, "actions"), folder);
    }

    /** Digest of an action's tasks files. */
    String digest(String run, Optional<String> undo) {
        var text = RoleText.read(folder.resolve("tasks").resolve(run), Code.ROLE_FILE)
                        .text()
                + undo.map(file -> "\0"
                                + RoleText.read(folder.resolve("tasks").resolve(file), Code.ROLE_FILE)
                                        .text())
                        .orElse("");
        return Digests.sha256(text);
    }

    private record Reader(RoleText source, TemplateRenderer templates, boolean checked) {

        List<Entry> entries(YamlTree.Mapping tree, String key) {
            var entries = new ArrayList<Entry>();
            for (var element : tree.get(key).map(this::sequence).orElse(List.of())) {
                if (!(element instanceof YamlTree.Mapping mapping)) {
                    throw new Failure(Diagnostic.error(
                            Code.ROLE_FILE, source.where(element.line()), "An entry of " + key + " is a map.", ""));
                }
                entries.add(new Entry(fields(mapping), mapping.line()));
            }
            return List.copyOf(entries);
        }

        private List<YamlTree> sequence(YamlTree tree) {
            if (tree instanceof YamlTree.Sequence sequence) {
                return sequence.elements();
            }
            throw new Failure(Diagnostic.error(Code.ROLE_FILE, source.where(tree.line()), "This is a list.", ""));
        }

        private Map<String, Value> fields(YamlTree.Mapping mapping) {
            var fields = new LinkedHashMap<String, Value>();
            mapping.entries().forEach((key, value) -> fields.put(key, value(value)));
            return fields;
        }

        private Value value(YamlTree tree) {
            return switch (tree) {
                case YamlTree.Scalar scalar
                when scalar.value() instanceof String text && TemplateScanner.hasMarkup(text) ->
                    new Value.Text(templates.compile(source.part(text, scalar.line()), checked), scalar.line());
                case YamlTree.Scalar scalar ->
                    new Value.Fixed(Optional.ofNullable(Plain.of(scalar.value())), scalar.line());
                case YamlTree.Sequence sequence ->
                    new Value.Many(sequence.elements().stream().map(this::value).toList(), sequence.line());
                case YamlTree.Mapping mapping -> new Value.Fields(fields(mapping), mapping.line());
            };
        }
    }
}
