package io.deepsite.cli;

import io.deepsite.cli.view.PluginAnswers;
import io.deepsite.cli.view.ResultView;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.SiteContext;
import io.deepsite.operations.VerifyOperation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite verify}: verifies a site. */
@Command(
        name = "verify",
        description = {
            "Verify that the site works, with jobs on every node.",
            "The jobs go through the cluster's own scheduler. A check passes, fails, or finds its node busy with a user's job, which is not a failure.",
            "Of elastic nodes it tells whether deepsite follows what the cluster wants; with --elastic they prove that they come."
        },
        footer = {
            "  deepsite verify",
            "  deepsite verify lab/site.yaml --report junit.xml",
            "  deepsite verify lab/site.yaml --nagios",
            "  deepsite verify --elastic"
        })
final class VerifyCommand extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    @Option(names = "--report", paramLabel = "FILE", description = "Also write the result as JUnit XML.")
    private @Nullable Path report;

    @Option(
            names = "--elastic",
            description = {
                "Also have a machine of each elastic group made for a test job, by the deepsite that follows the cluster.",
                "It takes minutes. The machine goes when it was idle for its time."
            })
    private boolean elastic;

    @Mixin
    private NagiosOption nagios = new NagiosOption();

    VerifyCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        return SiteContexts.with(at, target, this::verify);
    }

    private int verify(SiteContext context) {
        var answers = new PluginAnswers(context.site().name().value());
        if (context.site().clusters().isEmpty()) {
            if (nagios.asked()) {
                return answer(answers.unknown("there is no cluster to verify"));
            }
            print(json ? "{}\n" : "The site has no cluster: there is nothing to verify.\n");
            return ExitCode.DONE.number();
        }
        var began = at.clock().instant();
        VerifyOperation.Verified verified;
        boolean cancelled;
        // With --json the output is one object, so no events.
        try (var progress = new ProgressDisplay(at, this, Map.of())) {
            verified = new VerifyOperation(context, elastic).run(json ? _ -> {} : progress.events(), progress.cancel());
            cancelled = progress.cancel().asked();
        }
        var found = verified.report();
        at.tell(verified.silent());
        if (report != null) {
            OutputFile.write(report, context.file(), found.junit());
        }
        if (nagios.asked()) {
            var took = Duration.between(began, at.clock().instant());
            return answer(cancelled ? answers.unknown("cancelled") : answers.verified(found, verified.silent(), took));
        }
        if (json) {
            print(found.json());
        } else {
            print(new ResultView(style(), context.site(), at.clock().instant(), at::typeable).verify(found));
        }
        var exit = found.green() && verified.silent().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
        return (cancelled ? ExitCode.CANCELLED : exit).number();
    }
}
