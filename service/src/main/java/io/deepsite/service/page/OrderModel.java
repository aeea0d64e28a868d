package io.deepsite.service.page;

import io.deepsite.diag.Diagnostic;
import io.deepsite.site.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The form of an order.
 *
 * @param start not before, as the field of the form has it
 * @param faults of what was sent before
 */
public record OrderModel(
        Frame frame,
        String project,
        String template,
        String title,
        String description,
        List<Field> fields,
        String start,
        List<Diagnostic> faults) {

    /**
     * @param input number or text
     * @param limits in words
     */
    public record Field(
            String name,
            String label,
            String value,
            String input,
            Optional<String> min,
            Optional<String> max,
            List<String> choices,
            String limits) {

        /** @param value empty: the default */
        static Field of(String name, Parameter parameter, Optional<String> value) {
            var choices = parameter.type().equals("boolean") ? List.of("true", "false") : parameter.choices();
            return new Field(
                    name,
                    parameter.description().orElse(name),
                    value.or(parameter::defaultValue).orElse(""),
                    parameter.type().equals("integer") ? "number" : "text",
                    parameter.min(),
                    parameter.max(),
                    choices,
                    limits(parameter));
        }

        private static String limits(Parameter parameter) {
            var unit = switch (parameter.type()) {
                case "time" -> "such as 90m, 4h or 2d";
                case "size" -> "such as 4GiB";
                default -> "";
            };
            return Stream.of(
                            Optional.of(unit).filter(words -> !words.isEmpty()),
                            parameter.min().map(min -> "at least " + min),
                            parameter.max().map(max -> "at most " + max))
                    .flatMap(Optional::stream)
                    .collect(Collectors.joining(", "));
        }
    }
}
