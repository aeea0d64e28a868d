package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import io.deepsite.operations.RenderOperation;
import io.deepsite.operations.SiteContext;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code deepsite render}: writes the Ansible bundle of a site. */
@Command(
        name = "render",
        description = {
            "Write the Ansible bundle of the site into a folder.",
            "Touches no host. The bundle runs without deepsite: cd bundle && ansible-playbook site.yml."
                    + " Secrets in it are encrypted with the site's vault key."
        },
        footer = {"  deepsite render", "  deepsite render lab/site.yaml --output /tmp/lab-bundle"})
final class RenderCommand extends OfSite {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FOLDER",
            defaultValue = "bundle",
            description = "An empty or a new folder (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of("bundle");

    RenderCommand(CommandContext at) {
        super(at);
    }

    @Override
    int work(SiteContext context) {
        new RenderOperation(context).render(output);
        if (json) {
            printJson(Map.of("bundle", output.toString()));
        } else {
            print("Wrote the bundle to " + output + ". To run it without deepsite:\n\n      cd " + output
                    + " && ansible-playbook site.yml\n");
        }
        return ExitCode.DONE.number();
    }
}
