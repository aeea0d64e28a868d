package io.deepsite.cli;

import io.deepsite.cli.view.Json;
import io.deepsite.cli.view.RunsView;
import io.deepsite.cli.view.ServiceView;
import io.deepsite.client.EventReader;
import io.deepsite.client.OrderedSite;
import io.deepsite.client.Sites;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.operations.SiteContext;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code deepsite logs}: shows the logs of runs, and the journal of hosts. */
@Command(
        name = "logs",
        description = {
            "Show the logs of runs, or the journal of a host.",
            "Without arguments, lists the runs; with --run, prints Ansible's output of that run."
        },
        footer = {
            "  deepsite logs                          # lists the runs",
            "  deepsite logs --run last               # Ansible's output of the last run",
            "  deepsite logs node-1 --unit slurmd -n 50",
            "  deepsite logs node-1 --follow"
        })
final class LogsCommand extends DeepsiteCommand implements AlsoAtService {
    private static final String LAST = "last";

    @Parameters(index = "0", arity = "0..1", paramLabel = "HOST", description = "A machine of the site.")
    private @Nullable String host;

    @Option(names = "--unit", paramLabel = "UNIT", description = "Only this systemd unit of the host.")
    private @Nullable String unit;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            defaultValue = "100",
            description = "Number of lines of the host's journal (default: ${DEFAULT-VALUE}).")
    private int lines = 100;

    @Option(names = "--follow", description = "Keep printing new lines of the host's journal.")
    private boolean follow;

    @Option(names = "--run", paramLabel = "RUN", description = "A run as deepsite logs lists it, or last.")
    private @Nullable String run;

    @Mixin
    private SiteOption target = new SiteOption();

    LogsCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        return SiteContexts.with(at, target, context -> host != null ? journal(context, host) : runs(context));
    }

    /** What happened to it; --follow goes on until it rests. */
    @Override
    public int runAt(String service) {
        onlyAtService("--site", "--follow");
        if (host != null) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_AT_SERVICE,
                    "A service reads no journal of a host.",
                    "Log in to " + host + " by an SSH certificate: deepsite certificate."));
        }
        return AtService.with(at, service, opened -> {
            var site = opened.site(target.file().toString());
            opened.events().follow(site.id(), 0, new EventPrinter(opened.sites(), site));
            return ExitCode.DONE.number();
        });
    }

    private final class EventPrinter implements EventReader.Listener {
        private final Sites sites;
        private final OrderedSite site;
        private long left;

        EventPrinter(Sites sites, OrderedSite site) {
            this.sites = sites;
            this.site = site;
            this.left = site.lastEvent();
        }

        @Override
        public boolean happened(JsonNode event) {
            left--;
            if (json) {
                print(Json.line(event) + "\n");
            } else {
                ServiceView.event(event).ifPresent(line -> print(line + "\n"));
            }
            return left > 0 || (follow && (!event.path("event").asString("").equals("run") || isMoving()));
        }

        @Override
        public boolean quiet() {
            return left > 0 || (follow && isMoving());
        }

        private boolean isMoving() {
            return sites.site(site.id()).moves();
        }
    }

    private int journal(SiteContext context, String name) {
        var words = new ArrayList<>(List.of("journalctl", "--no-pager", "--lines=" + lines));
        if (unit != null) {
            words.add("--unit=" + unit);
        }
        if (follow) {
            words.add("--follow");
        }
        if (json) {
            words.add("--output=json");
        }
        try (var there = context.remote().open(context.target(name))) {
            return there.exec(
                    words,
                    InputStream.nullInputStream(),
                    new FileOutputStream(FileDescriptor.out),
                    new FileOutputStream(FileDescriptor.err),
                    Duration.ZERO);
        }
    }

    private int runs(SiteContext context) {
        var runs = context.records().runs().all();
        if (run == null) {
            if (json) {
                printJson(RunsView.json(runs));
            } else {
                print(RunsView.text(runs));
            }
            return ExitCode.DONE.number();
        }
        var chosen = runs.reversed().stream()
                .filter(one -> run.equals(LAST) || one.id().equals(run))
                .findFirst()
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.COMMAND_LINE, "There is no run " + run + ".", "List the runs:", "deepsite logs")));
        var logs = context.records().runs().logs(chosen);
        if (json) {
            printJson(RunsView.json(chosen, logs));
        } else {
            logs.forEach((name, text) -> print("==> " + name + "\n" + text + "\n"));
        }
        return ExitCode.DONE.number();
    }
}
