package io.deepsite.cli;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.ExitCode;
import io.deepsite.site.Name;
import io.deepsite.site.load.SiteTemplate;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite init}: writes a site.yaml to begin with. */
@Command(
        name = "init",
        description = {"Write a commented site.yaml that validates.", "A file that is there already is left alone."},
        footer = {
            "  deepsite init",
            "  deepsite init lab/site.yaml --kind slurm --provider lxd",
            "  deepsite init --kind none     # machines alone"
        })
final class InitCommand extends DeepsiteCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            defaultValue = "site.yaml",
            description = "Where to write it (default: ${DEFAULT-VALUE}); - for stdout.")
    private Path file = Path.of("site.yaml");

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            defaultValue = "slurm",
            completionCandidates = Kinds.class,
            description = "Kind of the cluster: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private String kind = "slurm";

    @Option(
            names = "--provider",
            paramLabel = "PROVIDER",
            defaultValue = "lxd",
            completionCandidates = ProviderNames.class,
            description = "What makes the machines: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private String provider = "lxd";

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the site (default: the name of the file's folder).")
    private @Nullable String name;

    InitCommand(CommandContext at) {
        super(at);
    }

    static final class Kinds extends Words.Known {
        Kinds(ClusterKinds kinds) {
            super(kinds.model().kinds(), SiteTemplate.NO_CLUSTER);
        }
    }

    static final class ProviderNames extends Words.Known {
        ProviderNames(ClusterKinds kinds) {
            super(kinds.model().providers());
        }
    }

    @Override
    protected int run() {
        boolean toStdout = file.toString().equals("-");
        var text = SiteTemplate.text(
                at.kinds().model(),
                kind.equals(SiteTemplate.NO_CLUSTER) ? Optional.empty() : Optional.of(kind),
                provider,
                siteName(),
                toStdout ? "site.yaml" : file.toString());
        if (toStdout) {
            if (json) {
                printJson(Map.of("site", siteName().value(), "text", text));
            } else {
                print(text);
            }
            return ExitCode.DONE.number();
        }
        NewSite.write(file, text, "deepsite init -");
        if (json) {
            var result = new LinkedHashMap<String, Object>();
            result.put("file", file.toString());
            result.put("site", siteName().value());
            printJson(result);
        } else {
            print("Wrote " + file + ". Look at it, then:\n\n      deepsite plan" + argument() + "\n      deepsite apply"
                    + argument() + "\n");
        }
        return ExitCode.DONE.number();
    }

    private String argument() {
        return file.toString().equals("site.yaml") ? "" : " " + file;
    }

    private Name siteName() {
        return Optional.ofNullable(name).map(Names::parse).orElseGet(() -> NewSite.name(file));
    }
}
