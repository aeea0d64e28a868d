package io.deepsite.cli;

import io.deepsite.cli.view.ResultView;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.SiteContext;
import io.deepsite.operations.VerifyOperation;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite verify}: lets a site prove itself. */
@Command(
        name = "verify",
        description = {
            "Prove that the site works, by jobs on every node.",
            "They go through the cluster's own scheduler. A check passes, fails, or finds its node busy with a user's job, which is no failure."
        },
        footer = {"  deepsite verify", "  deepsite verify lab/site.yaml --report junit.xml"})
final class VerifyCommand extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    @Option(names = "--report", paramLabel = "FILE", description = "Also write the result as JUnit XML.")
    private @Nullable Path report;

    VerifyCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        return SiteContexts.with(at, target, this::verify);
    }

    private int verify(SiteContext context) {
        if (context.site().clusters().isEmpty()) {
            print(json ? "{}\n" : "The site has no cluster: there is nothing to prove.\n");
            return ExitCode.DONE.number();
        }
        VerifyOperation.Verified verified;
        boolean cancelled;
        // With --json the result is one object: events would be in its way.
        try (var progress = new ProgressDisplay(at, this, Map.of())) {
            verified = new VerifyOperation(context).run(json ? _ -> {} : progress.events(), progress.cancel());
            cancelled = progress.cancel().asked();
        }
        var found = verified.report();
        at.tell(verified.silent());
        if (report != null) {
            OutputFile.write(report, context.file(), found.junit());
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
