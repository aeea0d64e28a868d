package io.deepsite.cli;

import io.deepsite.cli.view.Json;
import io.deepsite.cli.view.PluginAnswer;
import io.deepsite.cli.view.Style;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.remote.ShellWord;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What all commands have in common. */
@Command(
        mixinStandardHelpOptions = false,
        addMethodSubcommands = false, // no command is a method: picocli need not search them
        sortOptions = false,
        synopsisHeading = "Usage: ",
        descriptionHeading = "%n",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        commandListHeading = "%nCommands:%n")
abstract class DeepsiteCommand implements Callable<Integer> {
    protected final CommandContext at;

    @Option(names = "--json", order = 90, description = "Print the result as JSON.")
    protected boolean json;

    @Option(
            names = {"-q", "--quiet"},
            order = 91,
            description = "Print results and errors only.")
    protected boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            order = 92,
            description = "Print every detail, and the stack trace of an internal error.")
    protected boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            order = 93,
            description = "Print this help.")
    @SuppressWarnings("unused") // picocli reads it
    private boolean help;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private CommandSpec spec;

    protected DeepsiteCommand(CommandContext at) {
        this.at = at;
    }

    /** Returns the exit code. Faults that the user can fix are thrown as {@code diag.Failure}. */
    protected abstract int run();

    private int at(String service) {
        if (this instanceof AlsoAtService also) {
            return also.runAt(service);
        }
        throw new Failure(Diagnostic.error(
                Code.NOT_AT_SERVICE,
                spec.qualifiedName() + " works on a site.yaml of this machine, and " + ServiceOption.NAME + " or $"
                        + ServiceOption.VARIABLE + " names " + service + ".",
                "At a service there are: " + AtService.VERBS + ". For a site.yaml here leave out " + ServiceOption.NAME
                        + ", and unset " + ServiceOption.VARIABLE + "."));
    }

    /** Refuses options that have a meaning at a service only. */
    protected void notHere(List<String> options) {
        ServiceOption.requireNoneOf(options, spec);
    }

    /** Refuses options that a service has no meaning for, other than these. */
    protected void onlyAtService(String... options) {
        ServiceOption.requireOnly(List.of(options), spec);
    }

    @Override
    public final Integer call() {
        at.speak(json, quiet);
        if (NagiosOption.in(spec)) {
            at.answerAsPlugin();
            if (json) {
                throw NagiosOption.besideJson();
            }
        }
        var service = ServiceOption.of(spec, isOffline() ? Map.of() : at.environment());
        int exit = service.isEmpty() ? run() : at(service.get());
        at.terminal().out().flush();
        at.terminal().err().flush();
        return exit;
    }

    /** Whether it only reads files: then the variable that names a service does not concern it. */
    protected boolean isOffline() {
        return false;
    }

    /** The command line as the user typed it, for suggestions. */
    String typed() {
        return "deepsite "
                + spec.root().commandLine().getParseResult().originalArgs().stream()
                        .map(ShellWord::quoteIfNeeded)
                        .collect(Collectors.joining(" "));
    }

    boolean json() {
        return json;
    }

    boolean quiet() {
        return quiet;
    }

    boolean verbose() {
        return verbose;
    }

    protected Style style() {
        return at.terminal().outStyle();
    }

    /** The result, on stdout. */
    protected void print(String text) {
        at.terminal().out().print(text);
        at.terminal().out().flush();
    }

    protected void printJson(Object value) {
        print(Json.pretty(value));
    }

    /** As the answer of a monitoring plugin; returns its exit code. */
    protected int answer(PluginAnswer answer) {
        print(answer.line());
        return answer.state().exit();
    }

    /** On stderr, unless quiet. */
    protected void say(String text) {
        if (!quiet) {
            at.terminal().err().println(text);
            at.terminal().err().flush();
        }
    }
}
