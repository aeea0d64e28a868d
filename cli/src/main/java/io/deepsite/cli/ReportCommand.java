package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import io.deepsite.operations.DriftOperation;
import io.deepsite.report.ReportPage;
import io.deepsite.report.SiteReport;
import io.deepsite.site.Site;
import io.deepsite.state.SiteState;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite report}: writes what was recorded of a site as one HTML page. */
@Command(
        name = "report",
        description = {
            "Write one HTML page about the site, for people who were not there.",
            "Shows machines, networks and clusters, what the last run did on each host and when, the results of the last verify, drift, and the lease, as they were recorded."
                    + " The page fetches nothing and holds no secret. Without --drift nothing is asked: no back-end, no host."
        },
        footer = {"  deepsite report -o site.html", "  deepsite report lab/site.yaml --drift"})
final class ReportCommand extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "The page (default: <site>.html).")
    private @Nullable Path output;

    @Option(
            names = "--drift",
            description = "Look for drift on the back-end and the hosts first, as deepsite drift does.")
    private boolean drift;

    ReportCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        at.about(new SiteWords(target.file(), target.set(), target.store()));
        var site = at.loader().load(target.file(), target.set()).orFail();
        if (drift) {
            look();
        }
        var page = output == null ? Path.of(site.name() + ".html") : output;
        OutputFile.write(page, target.file(), ReportPage.html(report(site)));
        if (json) {
            printJson(Map.of("file", page.toString()));
        } else {
            print("Wrote " + page + ".\n");
        }
        return ExitCode.DONE.number();
    }

    private SiteReport report(Site site) {
        try (var records = SiteContexts.runtime(at).records(target.file(), site.name())) {
            var state = records.state()
                    .read()
                    .orElseGet(() -> SiteState.fresh(site.name().value(), Version.CURRENT));
            return SiteReport.of(
                    site, state, records, Version.CURRENT, at.clock().instant());
        }
    }

    /** Its findings are recorded, and so get into the page; hosts that do not answer are told here, too. */
    private void look() {
        SiteContexts.with(at, target, context -> {
            at.tell(new DriftOperation(context).run().silent());
            return ExitCode.DONE.number();
        });
    }
}
