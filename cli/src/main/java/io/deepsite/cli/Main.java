package io.deepsite.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point: parses the arguments and runs one command. */
@Command(
        name = "deepsite",
        description = "From one site.yaml to a working cluster.",
        subcommands = {VersionCommand.class})
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs one command line in this process and answers with its exit code. */
    static int run(String... arguments) {
        return new CommandLine(new Main()).execute(arguments);
    }
}
