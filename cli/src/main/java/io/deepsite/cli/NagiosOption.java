package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code --nagios}: the command is a plugin of a monitoring system. */
final class NagiosOption {
    private static final String NAME = "--nagios";

    @Option(
            names = NAME,
            order = 80,
            description = "Answer as a plugin of Nagios or Icinga: one line with performance data,"
                    + " exit code 0 (OK) to 3 (UNKNOWN).")
    private boolean asked;

    boolean asked() {
        return asked;
    }

    /** Also of a command line that cannot be parsed: its fault is an answer, too. */
    static boolean in(String... arguments) {
        return List.of(arguments).contains(NAME);
    }

    static boolean in(CommandSpec spec) {
        var option = spec.findOption(NAME);
        return option != null && option.<Boolean>getValue();
    }

    static Failure besideJson() {
        return new Failure(Diagnostic.error(
                Code.COMMAND_LINE, "With " + NAME + " the answer is one line of text.", "Leave out --json."));
    }
}
