package io.deepsite.cli;

import io.deepsite.cli.view.Style;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The whole command line: {@code deepsite} and its verbs. */
@Command(
        name = "deepsite",
        addMethodSubcommands = false,
        description = "From one site.yaml to a working, verified cluster.",
        synopsisHeading = "Usage: ",
        customSynopsis = "deepsite COMMAND [ARGUMENT...]",
        commandListHeading = "",
        footer = {
            "",
            "deepsite COMMAND --help shows the options of one command, with examples.",
            "Exit codes: 0 done, 1 failed, 2 invalid input, 3 changes or drift pending,",
            "4 internal, 5 lock held, 6 provider unreachable, 130 cancelled."
        })
final class Deepsite implements Runnable {
    private static final int WIDEST_HELP = 100;
    private static final String VERSION = "--version";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help.")
    @SuppressWarnings("unused") // picocli reads it
    private boolean help;

    /** Handled as the verb {@code version}; declared for help and completion. */
    @Option(names = VERSION, versionHelp = true, description = "Print the version of deepsite.")
    @SuppressWarnings("unused") // picocli reads it
    private boolean version;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run()
    private CommandSpec spec;

    private Deepsite() {}

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** Runs one command line. Loads only the class of its command. */
    static int run(CommandContext at, String... arguments) {
        if (arguments.length == 1 && arguments[0].equals(VERSION)) {
            // Half of the time of such a call would go into the model of the command line.
            at.terminal().out().println(Version.words());
            at.terminal().out().flush();
            return ExitCode.DONE.number();
        }
        try {
            at.kinds();
        } catch (Failure e) {
            if (NagiosOption.in(arguments)) {
                at.answerAsPlugin();
            }
            return new Faults(at).end(e.diagnostics(), e.exit());
        }
        var words = switch (arguments.length == 0 ? "" : arguments[0]) {
            case "help" -> afterHelp(arguments);
            case VERSION -> replaced(arguments, "version");
            default -> arguments;
        };
        var verb = words.length == 0 ? null : Verb.of(at.kinds(), words[0]).orElse(null);
        var line = verb == null
                ? whole(at)
                : dressed(at, new CommandLine(new Deepsite()).addSubcommand(verb.word(), verb.make(at)));
        int exit = line.execute(words);
        at.terminal().out().flush();
        at.terminal().err().flush();
        return exit;
    }

    /** With every verb. */
    static CommandLine whole(CommandContext at) {
        var line = new CommandLine(new Deepsite());
        Verb.all(at.kinds()).forEach(verb -> line.addSubcommand(verb.word(), verb.make(at)));
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> verbsByTopic(at, help));
        return dressed(at, line);
    }

    private static String[] replaced(String[] arguments, String first) {
        var words = arguments.clone();
        words[0] = first;
        return words;
    }

    private static String[] afterHelp(String... arguments) {
        var words = Arrays.copyOfRange(arguments, 1, arguments.length + 1);
        words[words.length - 1] = "--help";
        return words;
    }

    private static CommandLine dressed(CommandContext at, CommandLine line) {
        var terminal = at.terminal();
        var faults = new Faults(at);
        return line.setOut(terminal.out())
                .setErr(terminal.err())
                .setColorScheme(
                        Help.defaultColorScheme(terminal.outStyle() == Style.COLOUR ? Help.Ansi.ON : Help.Ansi.OFF))
                .setUsageHelpWidth(
                        terminal.errIsTerminal()
                                ? Math.clamp(terminal.size().get().columns(), 60, WIDEST_HELP)
                                : WIDEST_HELP)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(faults)
                .setExecutionExceptionHandler(faults)
                .setExitCodeExceptionMapper(_ -> ExitCode.INTERNAL.number());
    }

    private static String verbsByTopic(CommandContext at, Help help) {
        var text = new StringBuilder();
        for (var topic : Verb.Topic.values()) {
            var verbs = Verb.all(at.kinds()).stream()
                    .filter(verb -> verb.topic() == topic)
                    .toList();
            if (!verbs.isEmpty()) {
                text.append('\n').append(topic.title()).append(":\n");
            }
            for (var verb : verbs) {
                text.append("  %-12s%s%n".formatted(verb.word(), about(help.commandSpec(), verb)));
            }
        }
        return text.toString();
    }

    private static String about(CommandSpec all, Verb verb) {
        var line = all.subcommands().get(verb.word());
        return line == null ? "" : line.getCommandSpec().usageMessage().description()[0];
    }
}
