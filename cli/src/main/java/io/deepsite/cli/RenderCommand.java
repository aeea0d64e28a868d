package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import io.deepsite.operations.SiteContext;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite render}: writes the Ansible bundle of a site. */
@Command(
        name = "render",
        description = {
            "Write the Ansible bundle of the site into a folder.",
            "Changes no host. Hosts of an inventory are asked over SSH for their processors, memory and devices; with"
                    + " --assume-facts no host is reached. The bundle runs without deepsite: cd bundle &&"
                    + " ansible-playbook site.yml. Secrets in it are encrypted with the site's vault key."
        },
        footer = {
            "  deepsite render",
            "  deepsite render lab/site.yaml --output /tmp/lab-bundle",
            "  deepsite render --assume-facts"
        })
final class RenderCommand extends OfSite {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FOLDER",
            defaultValue = "bundle",
            description = "An empty or a new folder (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of("bundle");

    @Mixin
    private AssumeFacts assume = new AssumeFacts();

    RenderCommand(CommandContext at) {
        super(at);
    }

    @Override
    int work(SiteContext context) {
        var made = assume.render(context, output);
        if (json) {
            printJson(AssumeFacts.result("bundle", output, made));
        } else {
            print("Wrote the bundle to " + output + ". " + made.words() + " To run it without deepsite:\n\n      cd "
                    + output + " && ansible-playbook site.yml\n");
        }
        return ExitCode.DONE.number();
    }
}
