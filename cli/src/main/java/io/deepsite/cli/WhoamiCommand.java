package io.deepsite.cli;

import io.deepsite.cli.view.ServiceView;
import io.deepsite.diag.ExitCode;
import picocli.CommandLine.Command;

/** {@code deepsite whoami}: as whom somebody is logged in. */
@Command(
        name = "whoami",
        description = {
            "Show as whom you are logged in at a service.",
            "Asks the service, so it also shows whether the login is still valid. Without --service it asks the service at"
                    + " which you logged in last."
        },
        footer = {"  deepsite whoami", "  deepsite whoami --service https://clusters.example.org --json"})
final class WhoamiCommand extends OfService {
    WhoamiCommand(CommandContext at) {
        super(at);
    }

    @Override
    int work(AtService opened) {
        var me = opened.client().get("/v1/me");
        if (json) {
            printJson(me);
        } else {
            print(new ServiceView(style(), at.clock().instant())
                    .person(me, opened.client().service()));
        }
        return ExitCode.DONE.number();
    }
}
