package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Generates the page of the command line from the model that parses it. */
class CliReferenceTest {
    private final StringBuilder page = new StringBuilder("""
            # Command line

            <!-- Generated from the commands themselves; `mvn test -Dgolden.update` rewrites it. -->

            Results go to stdout, progress and diagnostics to stderr. Bars and colours appear on a terminal only;
            `NO_COLOR` turns colours off. The first `^C` lets running steps finish and starts no new one, the second stops them
            too, the third ends deepsite at once; the next `apply` resumes.

            Every command also takes `--json` (the result as JSON; of a run, one event per line), `-q` (results and
            errors only), `-v` (every detail) and `--help`.

            """);

    @Test
    void pageListsEveryCommand() {
        exitCodes();
        for (var topic : Verb.Topic.values()) {
            page.append("## ").append(topic.title()).append("\n\n");
            for (var verb : Verb.all(new Bench().workplace().kinds())) {
                if (verb.topic() == topic) {
                    command("deepsite " + verb.word(), verb.make(new Bench().workplace()));
                }
            }
        }

        Golden.assertSame(Path.of("../docs/reference/cli.md"), page.toString().stripTrailing() + "\n");
    }

    private void exitCodes() {
        page.append("| exit code | meaning |\n|---|---|\n");
        for (var exit : ExitCode.values()) {
            page.append("| ")
                    .append(exit.number())
                    .append(" | ")
                    .append(exit.meaning())
                    .append(" |\n");
        }
        page.append('\n');
    }

    private void command(String name, CommandLine line) {
        var spec = line.getCommandSpec();
        var arguments = spec.positionalParameters().stream()
                .map(CliReferenceTest::synopsis)
                .collect(Collectors.joining(" "));
        boolean group = !line.getSubcommands().isEmpty();
        page.append("### ").append(name).append("\n\n    ").append(name);
        page.append(group ? " COMMAND" : " [OPTION...]" + (arguments.isEmpty() ? "" : " " + arguments));
        page.append("\n\n");
        page.append(String.join(" ", spec.usageMessage().description())).append("\n\n");
        if (!group) {
            options(line);
        }
        page.append("```sh\n");
        Arrays.stream(spec.usageMessage().footer())
                .forEach(example -> page.append(example.strip()).append('\n'));
        page.append("```\n\n");
        line.getSubcommands().forEach((word, below) -> command(name + " " + word, below));
    }

    private void options(CommandLine line) {
        var own = line.getCommandSpec().options().stream()
                .filter(option -> option.order() < 90 && !option.hidden())
                .toList();
        var positionals = line.getCommandSpec().positionalParameters();
        if (own.isEmpty() && positionals.isEmpty()) {
            return;
        }
        page.append("| | |\n|---|---|\n");
        positionals.forEach(one -> row(one.paramLabel(), line, one.description(), one));
        own.forEach(option -> row(
                String.join(", ", option.names()) + (option.arity().max() == 0 ? "" : " " + option.paramLabel()),
                line,
                option.description(),
                option));
        page.append('\n');
    }

    private void row(String what, CommandLine line, String[] description, CommandLine.Model.ArgSpec argument) {
        var candidates =
                argument.completionCandidates() == null ? "" : String.join(", ", argument.completionCandidates());
        page.append("| `")
                .append(what)
                .append("` | ")
                .append(String.join(" ", description)
                        .replace("${COMPLETION-CANDIDATES}", candidates)
                        .replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValue()))
                        .replace("|", "\\|"))
                .append(" |\n");
    }

    private static String synopsis(PositionalParamSpec argument) {
        var label = argument.paramLabel() + (argument.arity().max() > 1 ? "..." : "");
        return argument.arity().min() == 0 ? "[" + label + "]" : label;
    }
}
