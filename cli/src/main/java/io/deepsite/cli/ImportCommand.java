package io.deepsite.cli;

import io.deepsite.cli.view.ImportView;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.site.Name;
import io.deepsite.tosca.TemplateFolder;
import io.deepsite.tosca.ToscaImport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite import}: writes a site.yaml from what another tool describes. */
@Command(
        name = "import",
        description = "Write a site.yaml from what another tool describes.",
        footer = {"  deepsite import tosca slurm_cluster.yaml"})
final class ImportCommand extends CommandGroup {
    private ImportCommand() {}

    static CommandLine line(CommandContext at) {
        return new CommandLine(new ImportCommand(), Words.factory(at.kinds())).addSubcommand("tosca", new Tosca(at));
    }

    @Command(
            name = "tosca",
            description = {
                "Write a site.yaml from a TOSCA template, and list what is not in it, and why.",
                "Templates of tosca_simple_yaml_1_0 and 1_3, as the INDIGO and DEEP projects write them.",
                "Scripts and artifacts of a template are never run or fetched. With a folder, reports how much of each"
                        + " template in it deepsite maps, and writes nothing."
            },
            footer = {
                "  deepsite import tosca slurm_cluster.yaml --input wn_num=4",
                "  deepsite import tosca slurm_cluster.yml slurm_elastic.yaml -o lab/site.yaml --provider openstack",
                "  deepsite import tosca templates/"
            })
    static final class Tosca extends DeepsiteCommand {
        @Parameters(
                arity = "1..*",
                paramLabel = "FILE",
                description = "The template, then templates that are laid over it; or a folder.")
        private List<Path> files = new ArrayList<>();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FILE",
                defaultValue = "site.yaml",
                description = "Where to write it (default: ${DEFAULT-VALUE}); - for stdout.")
        private Path output = Path.of("site.yaml");

        @Option(
                names = "--input",
                paramLabel = "NAME=VALUE",
                description = "Value of an input of the template; may be repeated.")
        private Map<String, String> inputs = new LinkedHashMap<>();

        @Option(
                names = "--provider",
                paramLabel = "PROVIDER",
                defaultValue = "lxd",
                completionCandidates = InitCommand.ProviderNames.class,
                description = "What makes the machines: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
        private String provider = "lxd";

        @Option(
                names = "--name",
                paramLabel = "NAME",
                description = "Name of the site (default: the name of the output's folder).")
        private @Nullable String name;

        Tosca(CommandContext at) {
            super(at);
        }

        @Override
        protected int run() {
            var model = at.kinds().model();
            if (!model.providers().contains(provider)) {
                throw new Failure(Diagnostic.error(
                        Code.COMMAND_LINE,
                        "There is no provider " + provider + "; there are: " + String.join(", ", model.providers())
                                + ".",
                        "Correct the name."));
            }
            var site = Optional.ofNullable(name).map(Names::parse).orElseGet(() -> NewSite.name(output));
            var tosca = new ToscaImport(model, provider, site);
            return files.size() == 1 && Files.isDirectory(files.getFirst())
                    ? survey(new TemplateFolder(files.getFirst()), tosca)
                    : write(tosca, site);
        }

        private int survey(TemplateFolder folder, ToscaImport tosca) {
            var reports = folder.reports(tosca);
            if (json) {
                printJson(ImportView.json(reports));
            } else {
                print(ImportView.text(reports));
            }
            return ExitCode.DONE.number();
        }

        private int write(ToscaImport tosca, Name site) {
            var made = tosca.run(files, inputs);
            if (made.text().isEmpty()) {
                throw new Failure(Diagnostic.error(
                        Code.TOSCA_INPUT,
                        files.getFirst()
                                + " has no machine (tosca.nodes.Compute), so there is nothing to make a site of.",
                        "Give a template of a cluster."));
            }
            boolean toStdout = output.toString().equals("-");
            if (!toStdout) {
                NewSite.write(output, made.text(), "deepsite import tosca " + files.getFirst() + " -o -");
            }
            if (json) {
                var result = new LinkedHashMap<String, Object>();
                result.put("file", output.toString());
                result.put("site", site.value());
                result.putAll(ImportView.json(made));
                if (toStdout) {
                    result.put("text", made.text());
                }
                printJson(result);
            } else {
                if (toStdout) {
                    print(made.text());
                } else {
                    print("Wrote " + output + ".\n");
                }
                say(ImportView.text(made));
            }
            return ExitCode.DONE.number();
        }
    }
}
