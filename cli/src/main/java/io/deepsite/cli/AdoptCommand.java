package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import io.deepsite.operations.AdoptOperation;
import io.deepsite.operations.SiteContext;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code deepsite adopt}: rebuilds a lost state. */
@Command(
        name = "adopt",
        description = {
            "Rebuild a lost state from what the back-end holds.",
            "Records again every resource tagged with the site's name, and gives the machines new keys. The next plan shows"
                    + " what differs inside them."
        },
        footer = {"  deepsite adopt", "  deepsite adopt lab/site.yaml && deepsite plan lab/site.yaml"})
final class AdoptCommand extends OfSite {
    AdoptCommand(CommandContext at) {
        super(at);
    }

    @Override
    int work(SiteContext context) {
        var machines = new AdoptOperation(context).adopt();
        if (json) {
            printJson(Map.of("machines", machines));
        } else {
            print("Adopted: " + (machines.isEmpty() ? "no machine" : String.join(", ", machines))
                    + ". To see what differs inside:\n\n      " + at.typeable("deepsite plan") + "\n");
        }
        return ExitCode.DONE.number();
    }
}
