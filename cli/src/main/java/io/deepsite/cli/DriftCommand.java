package io.deepsite.cli;

import io.deepsite.cli.view.DriftView;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.DriftOperation;
import io.deepsite.operations.SiteContext;
import picocli.CommandLine.Command;

/** {@code deepsite drift}: what changed behind our back. */
@Command(
        name = "drift",
        description = {
            "Show what changed since the last apply, and not by deepsite.",
            "Ends with exit code 3 when something did. The next apply mends it."
        },
        footer = {"  deepsite drift", "  deepsite drift lab/site.yaml --json"})
final class DriftCommand extends OfSite {
    DriftCommand(CommandContext at) {
        super(at);
    }

    @Override
    int work(SiteContext context) {
        var drifted = new DriftOperation(context).run();
        var drift = drifted.found();
        at.tell(drifted.silent());
        if (json) {
            printJson(drift);
        } else {
            print(drift.isEmpty() ? none(context, drifted) : new DriftView(style()).text(drift));
        }
        if (!drifted.silent().isEmpty()) {
            return ExitCode.FAILED.number();
        }
        return (drift.isEmpty() ? ExitCode.DONE : ExitCode.CHANGES_PENDING).number();
    }

    private static String none(SiteContext context, DriftOperation.Drifted drifted) {
        var state = context.state();
        if (state.hosts().isEmpty() && state.resources().isEmpty()) {
            return "No drift: nothing was applied yet.\n";
        }
        return drifted.silent().isEmpty()
                ? "No drift: all is as it was applied.\n"
                : "No drift on the hosts that answer.\n";
    }
}
