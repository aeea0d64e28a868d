package io.deepsite.render;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks a role's variables against its argument specs and fills in the defaults; reports all faults at once. */
final class Variables {
    private final String role;
    private final List<Diagnostic> faults = new ArrayList<>();

    private Variables(String role) {
        this.role = role;
    }

    /** @throws Failure VARIABLE_UNKNOWN, VARIABLE_MISSING, VARIABLE_TYPE, VARIABLE_CHOICE */
    static Map<String, Object> complete(String role, Map<String, ArgumentSpec> specs, Map<String, ?> given) {
        var variables = new Variables(role);
        var complete = variables.map("", specs, given);
        if (!variables.faults.isEmpty()) {
            throw new Failure(variables.faults);
        }
        return complete;
    }

    private Map<String, Object> map(String path, Map<String, ArgumentSpec> specs, Map<?, ?> given) {
        for (var key : given.keySet()) {
            if (!specs.containsKey(String.valueOf(key))) {
                fault(
                        Code.VARIABLE_UNKNOWN,
                        path + key + " is no variable of the role " + role + "; it has "
                                + String.join(", ", specs.keySet()) + ".");
            }
        }
        var complete = new LinkedHashMap<String, Object>();
        specs.forEach((name, spec) -> {
            var value = Plain.of(given.get(name));
            if (value == null && spec.byDefault().isEmpty() && spec.required()) {
                fault(Code.VARIABLE_MISSING, "The role " + role + " needs " + path + name + ", " + spec.type() + ".");
            }
            var taken = value == null ? spec.byDefault().orElse(null) : value(path + name, spec, value);
            if (taken != null) {
                complete.put(name, taken);
            }
        });
        return complete;
    }

    private @Nullable Object value(String path, ArgumentSpec spec, Object value) {
        if (!spec.type().accepts(value)) {
            fault(
                    Code.VARIABLE_TYPE,
                    path + " of the role " + role + " is " + spec.type() + ", not " + kind(value) + ".");
            return null;
        }
        if (!spec.choices().isEmpty() && !spec.choices().contains(value)) {
            fault(
                    Code.VARIABLE_CHOICE,
                    path + " of the role " + role + " is one of " + spec.choices() + ", not " + value + ".");
        }
        // jinjava treats the text "false" as false, Python as true.
        if (value instanceof String text && text.toLowerCase(Locale.ROOT).equals("false")) {
            fault(
                    Code.VARIABLE_TYPE,
                    path + " of the role " + role + " is the text \"" + text + "\", which templates take for no.");
        }
        return switch (value) {
            case Map<?, ?> map when !spec.options().isEmpty() -> map(path + ".", spec.options(), map);
            case List<?> list -> list(path, spec, list);
            default -> value;
        };
    }

    private List<@Nullable Object> list(String path, ArgumentSpec spec, List<?> list) {
        var element = new ArgumentSpec(
                spec.description(),
                spec.elements().orElse(ArgumentSpec.Type.RAW),
                Optional.empty(),
                true,
                Optional.empty(),
                List.of(),
                spec.options());
        List<@Nullable Object> complete = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            var value = list.get(i);
            complete.add(value == null ? null : value(path + "[" + i + "]", element, value));
        }
        return complete;
    }

    private void fault(Code code, String why) {
        faults.add(Diagnostic.error(code, why, "docs/reference/roles.md lists the variables of each role."));
    }

    private static String kind(Object value) {
        return switch (value) {
            case String text -> "the text \"" + text + "\"";
            case Boolean flag -> flag.toString();
            case Number number -> "the number " + number;
            case List<?> _ -> "a list";
            case Map<?, ?> _ -> "a map";
            default -> "a " + value.getClass().getSimpleName();
        };
    }
}
