package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import io.deepsite.operations.GraphOperation;
import io.deepsite.topology.GraphText;
import io.deepsite.topology.SitePicture;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite graph}: draws a site and the order of its stages. */
@Command(
        name = "graph",
        description = {
            "Draw the machines, networks and clusters of the site, and the order of its stages.",
            "Reads site.yaml only: no back-end, no host and no state. A thick arrow waits for all hosts of the stage before, a thin one only for the same host."
        },
        footer = {"  deepsite graph", "  deepsite graph --format svg -o site.svg"})
final class GraphCommand extends DeepsiteCommand {
    enum Format {
        mermaid,
        dot,
        svg
    }

    @Mixin
    private SiteFile target = new SiteFile();

    @Option(
            names = "--format",
            defaultValue = "mermaid",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
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
    protected int run() {
        at.about(new SiteWords(target.file(), target.set(), target.store()));
        var site = at.loader().load(target.file(), target.set()).orFail();
        var graph = GraphOperation.graph(site, at.kinds());
        var text = switch (format) {
            case mermaid -> GraphText.mermaid(graph);
            case dot -> GraphText.dot(graph);
            case svg -> SitePicture.svg(graph);
        };
        if (output != null) {
            OutputFile.write(output, target.file(), text);
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
}
