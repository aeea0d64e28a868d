package io.deepsite.tosca;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The inputs of a template with the values that were given. */
final class Inputs {
    private static final Pattern SECRET = Pattern.compile("(?i)(^|_)(password|passwd|token|secret|key|credential)s?$");

    private final Template template;
    private final Map<String, String> given;

    /** @throws Failure TOSCA_INPUT for a value of an input that the template does not have, or does not allow */
    Inputs(Template template, Map<String, String> given) {
        this.template = template;
        this.given = given;
        var unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(template.inputs().keySet());
        if (!unknown.isEmpty()) {
            throw refused(
                    0,
                    "The template has no input " + String.join(", ", unknown) + "; it has: "
                            + String.join(", ", template.inputs().keySet()) + ".",
                    "Correct the name.");
        }
        given.forEach(this::requireAllowed);
    }

    private void requireAllowed(String name, String value) {
        var input = template.inputs().getOrDefault(name, Value.Text.NONE);
        for (var constraint : input.get("constraints").items()) {
            var allowed = constraint.get("valid_values").items().stream()
                    .map(Value::text)
                    .flatMap(Optional::stream)
                    .toList();
            if (!allowed.isEmpty() && !allowed.contains(value)) {
                throw refused(
                        input.line(),
                        "The input " + name + " is one of " + String.join(", ", allowed) + ", not " + value + ".",
                        "Give one of these.");
            }
        }
    }

    boolean has(String name) {
        return template.inputs().containsKey(name);
    }

    /** What was given, else the default; {@link Value.Text#NONE} without either. */
    Value value(String name) {
        var text = given.get(name);
        return text == null
                ? template.inputs().getOrDefault(name, Value.Text.NONE).get("default")
                : new Value.Text(text, 0);
    }

    String type(String name) {
        return template.inputs()
                .getOrDefault(name, Value.Text.NONE)
                .get("type")
                .text()
                .orElse("string");
    }

    Optional<String> description(String name) {
        return template.inputs()
                .getOrDefault(name, Value.Text.NONE)
                .get("description")
                .text();
    }

    int line(String name) {
        return template.inputs().getOrDefault(name, Value.Text.NONE).line();
    }

    /** Whether the template ships a password that everybody knows. */
    boolean hasDefaultSecret(String name) {
        return SECRET.matcher(name).find()
                && !given.containsKey(name)
                && value(name).text().isPresent();
    }

    private Failure refused(int line, String why, String fix) {
        return new Failure(Diagnostic.error(
                Code.TOSCA_INPUT, new Where(template.file().toString(), line, 0, 1, "inputs", null), why, fix));
    }
}
