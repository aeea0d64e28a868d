package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.Span;

/** Durations on the command line, written as in site.yaml. */
final class Times {
    private Times() {}

    /** @throws Failure COMMAND_LINE */
    static Span span(String text) {
        try {
            return Span.parse(text);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.COMMAND_LINE, "\"" + text + "\" is not a duration: " + e.getMessage() + ".", ""),
                    e);
        }
    }
}
