package io.deepsite.service.page;

import io.deepsite.diag.Diagnostic;
import java.util.List;
import java.util.Optional;

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
            String limits) {}
}
