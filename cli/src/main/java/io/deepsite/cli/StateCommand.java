package io.deepsite.cli;

import io.deepsite.cli.view.StateView;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.SiteContext;
import io.deepsite.operations.StateRemoval;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite state}: what is recorded. */
@Command(
        name = "state",
        description = "See what is recorded of the site, and forget hosts that are gone for good.",
        footer = {"  deepsite state list", "  deepsite state show | jq .hosts", "  deepsite state rm old-node"})
final class StateCommand extends CommandGroup {
    private StateCommand() {}

    static CommandLine line(CommandContext at) {
        return new CommandLine(new StateCommand())
                .addSubcommand("list", new ListAll(at))
                .addSubcommand("show", new Show(at))
                .addSubcommand("rm", new Remove(at));
    }

    @Command(
            name = "list",
            description = "List the resources, hosts and roles that are recorded.",
            footer = {"  deepsite state list", "  deepsite state list lab/site.yaml --json"})
    static final class ListAll extends OfSite {
        ListAll(CommandContext at) {
            super(at);
        }

        @Override
        int work(SiteContext context) {
            if (json) {
                printJson(StateView.json(context.state()));
            } else {
                print(StateView.text(context.state()));
            }
            return ExitCode.DONE.number();
        }
    }

    @Command(
            name = "show",
            description = "Print the recorded state as JSON; it holds no secret.",
            footer = {"  deepsite state show | jq .hosts"})
    static final class Show extends OfSite {
        Show(CommandContext at) {
            super(at);
        }

        @Override
        int work(SiteContext context) {
            // Read once, so that a state that cannot be understood is told and not printed.
            var state = context.state();
            print(state.serial() == 0 ? "{}\n" : text(context.folder().stateFile()));
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

    @Command(
            name = "rm",
            description = {
                "Forget hosts that deepsite did not make and that are gone for good.",
                "Nothing is done on them: what was applied there stays. A host that still answers is left by taking it out of"
                        + " the inventory and an apply. With --all: everything that was made at a back-end that is gone for"
                        + " good, when site.yaml points to another one."
            },
            footer = {
                "  deepsite state rm old-node",
                "  deepsite state rm old-1 old-2 --site lab/site.yaml",
                "  deepsite state rm --all"
            })
    static final class Remove extends DeepsiteCommand {
        @ArgGroup(multiplicity = "1")
        private What what = new What();

        static final class What {
            @Parameters(arity = "1..*", paramLabel = "HOST", description = "Host as `state list` names it.")
            private List<String> hosts = new ArrayList<>();

            @Option(
                    names = "--all",
                    description = "All that was made at another back-end than that of site.yaml; there it stays.")
            private boolean all;
        }

        @Mixin
        private SiteOption target = new SiteOption();

        Remove(CommandContext at) {
            super(at);
        }

        @Override
        protected int run() {
            return SiteContexts.with(at, target, context -> {
                var names = new TreeSet<>(what.hosts);
                if (what.all) {
                    names.addAll(new StateRemoval(context).forgetElsewhere());
                } else {
                    at.tell(new StateRemoval(context).forget(names));
                }
                if (json) {
                    printJson(Map.of("forgotten", names));
                } else {
                    print("Forgotten: " + String.join(", ", names) + ".\n");
                }
                return ExitCode.DONE.number();
            });
        }
    }
}
