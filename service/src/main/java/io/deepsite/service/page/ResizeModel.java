package io.deepsite.service.page;

import io.deepsite.diag.Diagnostic;
import java.util.List;

/**
 * The form of other values of a site's parameters.
 *
 * @param site its id
 * @param fields with the present values, or what was typed
 * @param faults of what was sent before
 */
public record ResizeModel(Frame frame, String site, List<OrderModel.Field> fields, List<Diagnostic> faults) {}
