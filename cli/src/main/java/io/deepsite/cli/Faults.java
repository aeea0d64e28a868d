package io.deepsite.cli;

import io.deepsite.cli.view.PluginAnswer;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns faults of a command line into diagnostics and exit codes. */
final class Faults implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final int SUGGESTIONS = 3;

    private final CommandContext at;

    Faults(CommandContext at) {
        this.at = at;
    }

    @Override
    public int handleParseException(ParameterException fault, String[] arguments) {
        at.speak(List.of(arguments).contains("--json"), false);
        if (NagiosOption.in(arguments)) {
            at.answerAsPlugin();
        }
        var command = fault.getCommandLine().getCommandSpec().qualifiedName();
        var diagnostic = Diagnostic.error(
                Code.COMMAND_LINE,
                sentence(String.valueOf(fault.getMessage())),
                suggestion(fault),
                command + " --help");
        return end(List.of(diagnostic), ExitCode.INVALID_INPUT);
    }

    @Override
    public int handleExecutionException(Exception fault, CommandLine line, ParseResult parsed) {
        if (fault instanceof Failure failure) {
            return end(failure.diagnostics(), failure.exit());
        }
        boolean verbose = line.getCommand() instanceof DeepsiteCommand command && command.verbose();
        return end(List.of(bug(fault, verbose)), ExitCode.INTERNAL);
    }

    /** Reports faults as the user reads them; returns the exit code of the process. */
    int end(List<Diagnostic> faults, ExitCode exit) {
        if (!at.answersAsPlugin()) {
            at.tell(faults);
            return exit.number();
        }
        var answer = PluginAnswer.of(at.typeable(faults), exit);
        at.terminal().out().print(answer.line());
        at.terminal().out().flush();
        return answer.state().exit();
    }

    private static Diagnostic bug(Exception fault, boolean verbose) {
        var trace = new StringWriter();
        fault.printStackTrace(new PrintWriter(trace));
        var place = fault.getStackTrace().length == 0 ? "" : "\nat " + fault.getStackTrace()[0];
        return Diagnostic.error(
                Code.INTERNAL,
                verbose ? trace.toString() : fault + place,
                "Please report it, with what you typed"
                        + (verbose ? " and the lines above." : " and what --verbose prints."));
    }

    private static String suggestion(ParameterException fault) {
        if (!(fault instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        var near = unmatched.getSuggestions();
        return near.isEmpty()
                ? ""
                : "Did you mean " + String.join(" or ", near.subList(0, Math.min(SUGGESTIONS, near.size()))) + "?";
    }

    private static String sentence(String message) {
        return message.endsWith(".") ? message : message + ".";
    }
}
