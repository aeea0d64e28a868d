package io.deepsite.cli;

import io.deepsite.cli.view.ServiceView;
import io.deepsite.diag.ExitCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code deepsite catalogue}: what can be ordered at a service. */
@Command(
        name = "catalogue",
        description = {
            "List the templates of a service, with their parameters.",
            "Without --service it asks the service at which you logged in last."
        },
        footer = {
            "  deepsite catalogue",
            "  deepsite catalogue --project biology --service https://clusters.example.org"
        })
final class CatalogueCommand extends OfService {
    @Option(
            names = "--project",
            paramLabel = "NAME",
            description = "For members of this project (default: yours, if you have one only).")
    private @Nullable String project;

    CatalogueCommand(CommandContext at) {
        super(at);
    }

    @Override
    int work(AtService opened) {
        var sites = opened.sites();
        var name = sites.project(Optional.ofNullable(project));
        var templates = sites.templates(name);
        if (json) {
            printJson(templates);
        } else {
            print(new ServiceView(style(), at.clock().instant())
                    .catalogue(name, templates.path("templates").valueStream().toList()));
        }
        return ExitCode.DONE.number();
    }
}
