package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code deepsite adopt}: rebuilds a lost state. */
@Command(
        name = "adopt",
        description = {
            "Rebuild a lost state from what the back-end holds.",
            "Everything that carries the site's name is recorded again and the machines get new keys. The next plan shows"
                    + " what differs inside them."
        },
        footer = {"  deepsite adopt", "  deepsite adopt lab/site.yaml && deepsite plan lab/site.yaml"})
final class AdoptCommand extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    AdoptCommand(Workplace at) {
        super(at);
    }

    @Override
    protected int run() {
        return Sessions.with(at, target, session -> {
            var machines = session.adopt();
            if (json) {
                printJson(Map.of("machines", machines));
            } else {
                print("Taken over: " + (machines.isEmpty() ? "no machine" : String.join(", ", machines))
                        + ". What differs inside:\n\n      deepsite plan"
                        + (target.file().toString().equals("site.yaml") ? "" : " " + target.file()) + "\n");
            }
            return ExitCode.DONE.number();
        });
    }
}
