package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import io.deepsite.site.load.Explain;
import io.deepsite.site.load.NamedKinds;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite explain}: explains a key of site.yaml. */
@Command(
        name = "explain",
        description = {
            "Explain a key of site.yaml, and what changing it costs.",
            "Shows type, unit, default and an example. Without a key, explains the whole file."
        },
        footer = {
            "  deepsite explain machines.gpus",
            "  deepsite explain clusters.slurm.partitions",
            "  deepsite explain clusters.hpc --site lab/site.yaml",
            "  deepsite explain --paths | grep lease"
        })
final class ExplainCommand extends DeepsiteCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "KEY", description = "A key, such as machines.memory.")
    private String path = "";

    @Option(
            names = {"-s", "--site"},
            paramLabel = "FILE",
            defaultValue = "site.yaml",
            description = "A site whose clusters KEY may name, as in clusters.hpc (default: ${DEFAULT-VALUE}).")
    private Path site = Path.of("site.yaml");

    @Option(names = "--paths", description = "List all keys.")
    private boolean paths;

    ExplainCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        if (paths) {
            if (json) {
                printJson(Explain.paths(at.kinds().model()));
            } else {
                print(String.join("\n", Explain.paths(at.kinds().model())) + "\n");
            }
            return ExitCode.DONE.number();
        }
        var explanation = Explain.of(at.kinds().model(), path, NamedKinds.of(site));
        if (json) {
            printJson(explanation);
        } else {
            print(explanation.text());
        }
        return ExitCode.DONE.number();
    }
}
