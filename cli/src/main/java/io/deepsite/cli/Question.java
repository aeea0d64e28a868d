package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.Locale;

/** Asks for a yes, on a terminal only. */
record Question(CommandContext at, DeepsiteCommand command) {
    boolean canBeAsked() {
        return at.terminal().asks() && !command.json();
    }

    /** @throws Failure NOT_CONFIRMED, if nobody can answer */
    boolean yes(String question) {
        if (!canBeAsked()) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_CONFIRMED,
                    "There is no terminal to ask for confirmation. Nothing was touched.",
                    "Confirm on the command line:",
                    command.typed() + " --yes"));
        }
        var answer = at.terminal().ask(question + " [y/N] ").orElse("").toLowerCase(Locale.ROOT);
        return answer.equals("y") || answer.equals("yes");
    }
}
