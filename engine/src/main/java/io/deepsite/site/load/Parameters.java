package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.diag.Where;
import io.deepsite.site.Name;
import io.deepsite.site.Parameter;
import io.deepsite.site.Size;
import io.deepsite.site.Span;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The values of {@code ${name}} in one run: what {@code --set} says, else the default. */
final class Parameters {
    private static final Pattern WHOLE = Pattern.compile("\\$\\{([^{}]*)}");

    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, Parameter> declared = new LinkedHashMap<>();
    private final Findings findings;

    private Parameters(Findings findings) {
        this.findings = findings;
    }

    static Parameters resolve(
            Map<Name, Parameter> declared, Map<String, String> set, Findings findings, Places places) {
        var parameters = new Parameters(findings);
        declared.forEach((name, parameter) -> {
            parameters.declared.put(name.value(), parameter);
            if (!findings.isUnsound("parameters." + name)) {
                parameters.resolve(name.value(), parameter, set, places);
            }
        });
        set.forEach((name, value) -> {
            if (!parameters.declared.containsKey(name) && !findings.isUnsound("parameters")) {
                findings.fault(
                        Code.UNKNOWN_PARAMETER,
                        Where.file("--set " + Wording.safe(name) + "=" + Wording.safe(value)),
                        "site.yaml declares no parameter " + Wording.quoted(name) + ".",
                        Wording.didYouMean(name, parameters.declared.keySet(), parameters.known()));
            }
        });
        return parameters;
    }

    private void resolve(String name, Parameter parameter, Map<String, String> set, Places places) {
        String path = "parameters." + name;
        String given = set.get(name);
        Optional<String> value = given == null ? parameter.defaultValue() : Optional.of(given);
        if (value.isEmpty()) {
            findings.fault(
                    Code.UNSET_PARAMETER,
                    places.of(path),
                    "Parameter " + Wording.quoted(name) + " has no default, and this run does not set it.",
                    "Add --set " + name + "=VALUE to the command, or a default to the file.");
            return;
        }
        String fault = fault(parameter.type(), value.get());
        if (!fault.isEmpty()) {
            findings.fault(
                    Code.PARAMETER_TYPE,
                    given == null
                            ? places.of(path + ".default")
                            : Where.file("--set " + name + "=" + Wording.safe(given)),
                    Wording.quoted(value.get()) + " is no " + parameter.type() + ", which the file says parameter "
                            + Wording.quoted(name) + " is" + fault,
                    "");
            findings.markUnsound(path);
            return;
        }
        var where =
                given == null ? places.of(path + ".default") : Where.file("--set " + name + "=" + Wording.safe(given));
        if (isDeclaredWell(path, parameter, places) && isWithin(name, parameter, value.get(), where)) {
            values.put(name, value.get());
        } else {
            findings.markUnsound(path);
        }
    }

    /** Limits are of a type that has an order, and of that type; choices are of texts. */
    private boolean isDeclaredWell(String path, Parameter parameter, Places places) {
        boolean ordered = List.of("integer", "size", "time").contains(parameter.type());
        boolean well = true;
        for (var limit : List.of("min", "max")) {
            var value = limit.equals("min") ? parameter.min() : parameter.max();
            if (value.isPresent()
                    && (!ordered || !fault(parameter.type(), value.get()).isEmpty())) {
                findings.fault(
                        Code.PARAMETER_TYPE,
                        places.of(path + "." + limit),
                        ordered
                                ? Wording.quoted(value.get()) + " is no " + parameter.type() + "."
                                : "A " + parameter.type() + " has no order.",
                        ordered ? "" : "Leave it out; what a string may be is said by choices.");
                well = false;
            }
        }
        if (!parameter.choices().isEmpty() && !parameter.type().equals("string")) {
            findings.fault(
                    Code.PARAMETER_TYPE,
                    places.of(path + ".choices"),
                    "Only a string has choices; this is of type " + parameter.type() + ".",
                    "Limit it with min and max, or make it a string.");
            well = false;
        }
        return well;
    }

    private boolean isWithin(String name, Parameter parameter, String value, Where where) {
        if (!parameter.choices().isEmpty() && !parameter.choices().contains(value)) {
            findings.fault(
                    Code.NOT_ACCEPTED,
                    where,
                    "Parameter " + Wording.quoted(name) + " cannot be " + Wording.quoted(value) + ".",
                    Wording.didYouMean(
                            value, parameter.choices(), "It is one of " + Wording.allOf(parameter.choices()) + "."));
            return false;
        }
        boolean less = parameter
                .min()
                .filter(min -> amount(parameter, value) < amount(parameter, min))
                .isPresent();
        boolean more = parameter
                .max()
                .filter(max -> amount(parameter, value) > amount(parameter, max))
                .isPresent();
        if (less || more) {
            findings.fault(
                    Code.OUT_OF_RANGE,
                    where,
                    "Parameter " + Wording.quoted(name) + " is " + value + "; it must be "
                            + parameter.min().map(min -> "at least " + min).orElse("")
                            + (parameter.min().isPresent() && parameter.max().isPresent() ? " and " : "")
                            + parameter.max().map(max -> "at most " + max).orElse("") + ".",
                    "");
        }
        return !less && !more;
    }

    /** To compare values of one type: a number, bytes, seconds. */
    private static long amount(Parameter parameter, String value) {
        return switch (parameter.type()) {
            case "size" -> Size.parse(value).bytes();
            case "time" -> Span.parse(value).duration().toSeconds();
            default -> Long.parseLong(value);
        };
    }

    /** Empty when the value is of the type; else how the sentence ends. */
    private static String fault(String type, String value) {
        try {
            switch (type) {
                case "integer" -> {
                    if (!value.matches("-?(0|[1-9][0-9]{0,8})")) {
                        return ".";
                    }
                }
                case "boolean" -> {
                    if (!value.equals("true") && !value.equals("false")) {
                        return ": write true or false.";
                    }
                }
                case "size" -> Size.parse(value);
                case "time" -> Span.parse(value);
                default -> {
                    if (value.isEmpty() || value.codePoints().anyMatch(Wording::isControl)) {
                        return ": it is empty, or holds a control character.";
                    }
                }
            }
            return "";
        } catch (IllegalArgumentException e) {
            return ": " + Wording.sentence(String.valueOf(e.getMessage()));
        }
    }

    Map<String, String> values() {
        return values;
    }

    /**
     * The text with its parameter filled in; empty, with the fault reported, when that cannot be. Every text that is not
     * a parameter comes back as it is.
     */
    Optional<String> fill(String text, Where where) {
        if (!text.contains("${")) {
            return Optional.of(text);
        }
        var whole = WHOLE.matcher(text);
        if (!whole.matches()) {
            findings.fault(
                    Code.PARTIAL_PARAMETER,
                    where,
                    "A parameter replaces a whole value; it cannot be part of one.",
                    "Make the whole value a parameter, such as ${name}.");
            return Optional.empty();
        }
        String name = whole.group(1);
        if (!declared.containsKey(name)) {
            if (!findings.isUnsound("parameters") && !findings.isUnsound("parameters." + name)) {
                findings.fault(
                        Code.UNKNOWN_PARAMETER,
                        where,
                        Wording.quoted(name) + " is not declared under parameters.",
                        Wording.didYouMean(name, declared.keySet(), known()));
            }
            findings.markUnsound(where.path());
            return Optional.empty();
        }
        var value = Optional.ofNullable(values.get(name));
        if (value.isEmpty()) {
            findings.markUnsound(where.path());
        }
        return value;
    }

    private String known() {
        return declared.isEmpty()
                ? "The file declares no parameters."
                : "The file declares " + Wording.allOf(declared.keySet()) + ".";
    }
}
