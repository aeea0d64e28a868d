package io.deepsite.cli;

import io.deepsite.cli.view.StateView;
import io.deepsite.diag.ExitCode;
import io.deepsite.session.SiteSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code deepsite state}: what is recorded. */
@Command(
        name = "state",
        description = "See what is recorded of the site.",
        footer = {"  deepsite state list", "  deepsite state show | jq .hosts"})
final class StateCommand extends Group {
    private StateCommand() {}

    static CommandLine line(Workplace at) {
        return new CommandLine(new StateCommand())
                .addSubcommand("list", new ListAll(at))
                .addSubcommand("show", new Show(at));
    }

    @Command(
            name = "list",
            description = "List the resources, hosts and roles that are recorded.",
            footer = {"  deepsite state list", "  deepsite state list lab/site.yaml --json"})
    static final class ListAll extends OfSite {
        ListAll(Workplace at) {
            super(at);
        }

        @Override
        int work(SiteSession session) {
            if (json) {
                printJson(StateView.json(session.state()));
            } else {
                print(StateView.text(session.state()));
            }
            return ExitCode.DONE.number();
        }
    }

    @Command(
            name = "show",
            description = "Print the recorded state as JSON; it holds no secret.",
            footer = {"  deepsite state show | jq .hosts"})
    static final class Show extends OfSite {
        Show(Workplace at) {
            super(at);
        }

        @Override
        int work(SiteSession session) {
            // Read once, so that a state that cannot be understood is told and not printed.
            var state = session.state();
            print(state.serial() == 0 ? "{}\n" : text(session.folder().stateFile()));
            return ExitCode.DONE.number();
        }

        private static String text(Path file) {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
