package io.deepsite.cli;

import io.deepsite.cli.view.PluginAnswers;
import io.deepsite.cli.view.ServiceView;
import io.deepsite.cli.view.StatusMetrics;
import io.deepsite.cli.view.StatusView;
import io.deepsite.client.RemoteFaults;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.operations.SiteContext;
import io.deepsite.site.Span;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite status}: shows the state of a site. */
@Command(
        name = "status",
        description = {
            "Show the state of the site.",
            "Shows machines, last apply and verify, lease and lock. Asks the back-end, not the hosts; drift checks inside them."
        },
        footer = {
            "  deepsite status",
            "  deepsite status lab/site.yaml --json",
            "  deepsite status lab/site.yaml --nagios --lease-warning 2d"
        })
final class StatusCommand extends OfSite implements AlsoAtService {
    @Mixin
    private NagiosOption nagios = new NagiosOption();

    @Option(
            names = "--lease-warning",
            paramLabel = "TIME",
            description = "With --nagios: WARNING if less of the lease is left, such as 2d.")
    private @Nullable String warning;

    @Option(
            names = "--lease-critical",
            paramLabel = "TIME",
            description = "With --nagios: CRITICAL if less of the lease is left. Without it, when the lease is over.")
    private @Nullable String critical;

    @Option(
            names = "--metrics",
            paramLabel = "FILE",
            description = "Also write it as metrics for Prometheus, such as"
                    + " /var/lib/prometheus/node-exporter/deepsite-site-lab.prom: node-exporter reads files there.")
    private @Nullable Path metrics;

    StatusCommand(CommandContext at) {
        super(at);
    }

    @Override
    public int runAt(String service) {
        onlyAtService();
        return AtService.with(at, service, opened -> {
            var site = opened.site(file().toString());
            if (json) {
                printJson(site.json());
            } else {
                print(new ServiceView(style(), at.clock().instant()).site(site));
                if (site.status().equals("failed")) {
                    at.tell(RemoteFaults.of(site.runs().getFirst().faults()));
                }
            }
            return ExitCode.DONE.number();
        });
    }

    @Override
    int work(SiteContext context) {
        if (!nagios.asked() && (warning != null || critical != null)) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    "--lease-warning and --lease-critical have a meaning with --nagios only.",
                    "Add --nagios, or leave them out."));
        }
        var status = context.status();
        if (metrics != null) {
            OutputFile.replace(metrics, context.file(), StatusMetrics.text(status));
        }
        if (nagios.asked()) {
            return answer(new PluginAnswers(context.site().name().value())
                    .status(status, at.clock().instant(), limit(warning), limit(critical)));
        }
        if (json) {
            printJson(StatusView.json(status, at.clock().instant()));
        } else {
            print(new StatusView(style(), at.clock().instant()).text(status));
        }
        return ExitCode.DONE.number();
    }

    private static Optional<Duration> limit(@Nullable String typed) {
        return Optional.ofNullable(typed).map(Times::span).map(Span::duration);
    }
}
