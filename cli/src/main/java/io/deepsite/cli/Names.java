package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.Name;

/** Parses names that a user typed. */
final class Names {
    private Names() {}

    /** @throws Failure COMMAND_LINE */
    static Name parse(String typed) {
        try {
            return new Name(typed);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(Code.COMMAND_LINE, "\"" + typed + "\" is not a name: " + e.getMessage() + ".", ""),
                    e);
        }
    }
}
