package io.deepsite.cli;

import io.deepsite.cli.view.ServiceView;
import io.deepsite.client.OrderedSite;
import io.deepsite.diag.ExitCode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code deepsite sites}: sites at a service. */
@Command(
        name = "sites",
        description = {
            "List the sites of a service that you may see.",
            "Those that you ordered, and all of the projects that you manage. Without --service it asks the service at which"
                    + " you logged in last."
        },
        footer = {"  deepsite sites", "  deepsite sites --own --json"})
final class SitesCommand extends OfService {
    @Option(names = "--project", paramLabel = "NAME", description = "Of this project (default: of all that are yours).")
    private @Nullable String project;

    @Option(names = "--own", description = "Only those that you ordered.")
    private boolean own;

    SitesCommand(CommandContext at) {
        super(at);
    }

    @Override
    int work(AtService opened) {
        var sites = opened.sites();
        var projects = Optional.ofNullable(project).map(List::of).orElseGet(sites::projects);
        var all =
                projects.stream().flatMap(name -> sites.all(name, own).stream()).toList();
        if (json) {
            printJson(all.stream().map(OrderedSite::json).toList());
        } else {
            print(new ServiceView(style(), at.clock().instant()).sites(all));
        }
        return ExitCode.DONE.number();
    }
}
