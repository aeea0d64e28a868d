package io.deepsite.cli;

import io.deepsite.cli.view.StateView;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.SiteContext;
import io.deepsite.operations.StateMove;
import io.deepsite.operations.StateRemoval;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

/** {@code deepsite state}: shows and edits the recorded state. */
@Command(
        name = "state",
        description = "Show, move and repair the recorded state of the site.",
        footer = {"  deepsite state list", "  deepsite state show | jq .hosts", "  deepsite state rm old-node"})
final class StateCommand extends CommandGroup {
    private StateCommand() {}

    static CommandLine line(CommandContext at) {
        return new CommandLine(new StateCommand())
                .addSubcommand("list", new ListAll(at))
                .addSubcommand("show", new Show(at))
                .addSubcommand("rm", new Remove(at))
                .addSubcommand("move", new Move(at));
    }

    @Command(
            name = "list",
            description = "List the recorded resources, hosts and roles.",
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
            var state = context.state();
            print(state.serial() == 0 ? "{}\n" : text(state));
            return ExitCode.DONE.number();
        }

        private static String text(SiteState state) {
            var text = new ByteArrayOutputStream();
            try {
                new StateWriter().write(state, text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return text.toString(StandardCharsets.UTF_8);
        }
    }

    @Command(
            name = "move",
            description = {
                "Move the recorded state and the secrets of the site to another store.",
                "From then on commands need --store, or $" + StoreOption.VARIABLE
                        + ". The vault key does not move: whoever" + " works on the site needs a copy of it."
            },
            footer = {
                "  deepsite state move --to postgresql://ops@db.example.org/sites",
                "  deepsite state move --store postgresql://ops@db.example.org/sites --to files"
            })
    static final class Move extends OfSite {
        private static final String FILES = "files";

        @Option(
                names = "--to",
                required = true,
                paramLabel = "STORE",
                description = "postgresql://USER@HOST/DATABASE, or files: those beside the site file.")
        private String to = "";

        Move(CommandContext at) {
            super(at);
        }

        @Override
        int work(SiteContext context) {
            try (var target = context.runtime()
                    .with(BuiltIns.stores(to.equals(FILES) ? "" : to, at.environment()))
                    .records(context.file(), context.site().name())) {
                new StateMove(context, target).run();
                if (json) {
                    printJson(Map.of("moved", target.place()));
                } else {
                    print("Moved to " + target.place() + ".\n");
                }
            }
            return ExitCode.DONE.number();
        }
    }

    @Command(
            name = "rm",
            description = {
                "Remove hosts from the state that deepsite did not make and that are gone for good.",
                "Changes nothing on the hosts: what was applied there stays. If a host still answers, take it out of the"
                        + " inventory and apply instead. With --all, removes everything made at a back-end that is gone for good,"
                        + " if site.yaml names another one."
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
            @Parameters(arity = "1..*", paramLabel = "HOST", description = "A host, as `state list` names it.")
            private List<String> hosts = new ArrayList<>();

            @Option(
                    names = "--all",
                    description = "Remove everything made at a back-end other than that of site.yaml; it stays there.")
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
