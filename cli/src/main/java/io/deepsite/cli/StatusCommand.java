package io.deepsite.cli;

import io.deepsite.cli.view.ServiceView;
import io.deepsite.cli.view.StatusView;
import io.deepsite.client.RemoteFaults;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.SiteContext;
import picocli.CommandLine.Command;

/** {@code deepsite status}: shows the state of a site. */
@Command(
        name = "status",
        description = {
            "Show the state of the site.",
            "Shows machines, last apply and verify, lease and lock. Asks the back-end, not the hosts; drift checks inside them."
        },
        footer = {"  deepsite status", "  deepsite status lab/site.yaml --json"})
final class StatusCommand extends OfSite implements AlsoAtService {
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
        var status = context.status();
        if (json) {
            printJson(StatusView.json(status, at.clock().instant()));
        } else {
            print(new StatusView(style(), at.clock().instant()).text(status));
        }
        return ExitCode.DONE.number();
    }
}
