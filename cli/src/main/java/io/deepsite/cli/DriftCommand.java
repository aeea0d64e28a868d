package io.deepsite.cli;

import io.deepsite.cli.view.DriftView;
import io.deepsite.diag.ExitCode;
import io.deepsite.session.SiteSession;
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
    DriftCommand(Workplace at) {
        super(at);
    }

    @Override
    int work(SiteSession session) {
        var drift = session.drift();
        if (json) {
            printJson(drift);
        } else {
            print(drift.isEmpty() ? "No drift: all is as it was applied.\n" : new DriftView(style()).text(drift));
        }
        return (drift.isEmpty() ? ExitCode.DONE : ExitCode.CHANGES_PENDING).number();
    }
}
