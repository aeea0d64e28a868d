package io.deepsite.cli;

import io.deepsite.cli.view.GraphView;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.operations.PlanOperation;
import io.deepsite.operations.SiteContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code deepsite graph}: draws the order of stages. */
@Command(
        name = "graph",
        description = {
            "Draw the stages of the site with their hosts, in the order they run.",
            "A thick arrow waits for all hosts of a stage, a thin one only for the same host."
        },
        footer = {"  deepsite graph", "  deepsite graph --format svg -o site.svg"})
final class GraphCommand extends OfSite {
    enum Format {
        mermaid,
        dot,
        svg
    }

    @Option(
            names = "--format",
            defaultValue = "mermaid",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}); svg needs Graphviz.")
    private Format format = Format.mermaid;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write to this file instead of stdout.")
    private @Nullable Path output;

    GraphCommand(CommandContext at) {
        super(at);
    }

    @Override
    int work(SiteContext context) {
        var graph = new GraphView(new PlanOperation(context).plan());
        var text = switch (format) {
            case mermaid -> graph.mermaid();
            case dot -> graph.dot();
            case svg -> svg(graph.dot());
        };
        if (output != null) {
            OutputFile.write(output, context.file(), text);
            say("Wrote " + output + ".");
        }
        if (json) {
            printJson(Map.of(
                    "format",
                    format.name(),
                    output == null ? "graph" : "file",
                    output == null ? text : output.toString()));
        } else if (output == null) {
            print(text);
        }
        return ExitCode.DONE.number();
    }

    private static String svg(String dot) {
        try {
            var process = new ProcessBuilder("dot", "-Tsvg")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(dot.getBytes(StandardCharsets.UTF_8));
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.PROGRAM_MISSING,
                            "Graphviz draws SVG, and its program dot is not on the PATH.",
                            "Use --format mermaid or dot, or install Graphviz:",
                            "apt-get install graphviz"),
                    e);
        }
    }
}
