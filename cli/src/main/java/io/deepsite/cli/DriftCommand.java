package io.deepsite.cli;

import io.deepsite.cli.view.DriftView;
import io.deepsite.cli.view.PluginAnswers;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.DriftOperation;
import io.deepsite.operations.SiteContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code deepsite drift}: shows what changed outside deepsite. */
@Command(
        name = "drift",
        description = {
            "Show what changed outside deepsite since the last apply.",
            "Ends with exit code 3 if there is drift. The next apply corrects it."
        },
        footer = {"  deepsite drift", "  deepsite drift lab/site.yaml --json", "  deepsite drift lab/site.yaml --nagios"
        })
final class DriftCommand extends OfSite {
    @Mixin
    private NagiosOption nagios = new NagiosOption();

    DriftCommand(CommandContext at) {
        super(at);
    }

    @Override
    int work(SiteContext context) {
        var drifted = new DriftOperation(context).run();
        var drift = drifted.found();
        at.tell(drifted.silent());
        if (nagios.asked()) {
            return answer(new PluginAnswers(context.site().name().value()).drift(drift, drifted.silent()));
        }
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
            return "No drift: nothing has been applied yet.\n";
        }
        return drifted.silent().isEmpty()
                ? "No drift: everything is as applied.\n"
                : "No drift on the hosts that answer.\n";
    }
}
