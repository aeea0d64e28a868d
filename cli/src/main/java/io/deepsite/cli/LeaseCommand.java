package io.deepsite.cli;

import io.deepsite.cli.view.LeaseWords;
import io.deepsite.cli.view.LeasesView;
import io.deepsite.diag.ExitCode;
import io.deepsite.lease.LeasedSite;
import io.deepsite.lease.Reaper;
import io.deepsite.operations.LeaseOperation;
import io.deepsite.operations.SiteContext;
import io.deepsite.provider.Provider;
import io.deepsite.text.Elapsed;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite lease}: lists, extends and ends leases of sites. */
@Command(
        name = "lease",
        description = "List, extend or end the leases of sites.",
        footer = {"  deepsite lease list", "  deepsite lease extend 2h", "  deepsite lease end"})
final class LeaseCommand extends CommandGroup {
    private LeaseCommand() {}

    static CommandLine line(CommandContext at) {
        return new CommandLine(new LeaseCommand(), Words.factory(at.kinds()))
                .addSubcommand("list", new ListAll(at))
                .addSubcommand("extend", new Extend(at))
                .addSubcommand("end", new End(at))
                .addSubcommand("reap", new Reap(at));
    }

    @Command(
            name = "list",
            description = {
                "List all sites of a back-end, and when each ends.",
                "Reads the tags of what deepsite made there; needs no state folder."
            },
            footer = {
                "  deepsite lease list",
                "  deepsite lease list --endpoint unix:///var/snap/lxd/common/lxd/unix.socket"
            })
    static final class ListAll extends OfBackEnd {
        ListAll(CommandContext at) {
            super(at);
        }

        @Override
        int work(Provider provider) {
            var sites = LeasedSite.all(provider);
            if (json) {
                printJson(LeasesView.json(sites));
            } else {
                print(new LeasesView(style(), at.clock().instant()).text(sites));
            }
            return ExitCode.DONE.number();
        }
    }

    @Command(
            name = "extend",
            description = "Extend the lease of the site by this duration, up to lease.max of site.yaml.",
            footer = {"  deepsite lease extend 2h", "  deepsite lease extend 1d --site lab/site.yaml"})
    static final class Extend extends DeepsiteCommand implements AlsoAtService {
        @Parameters(index = "0", paramLabel = "TIME", description = "A duration with its unit: 30m, 2h, 1d.")
        private String by = "";

        @Mixin
        private SiteOption target = new SiteOption();

        Extend(CommandContext at) {
            super(at);
        }

        @Override
        public int runAt(String service) {
            onlyAtService("--site");
            var span = Times.span(by);
            return AtService.with(at, service, opened -> {
                var site = opened.sites().extend(opened.site(target.file().toString()), span.toString());
                if (json) {
                    printJson(site.json());
                } else {
                    print("The site " + site.name() + " ends "
                            + site.endsAt()
                                    .map(end -> Elapsed.utc(end) + ", "
                                            + LeaseWords.left(end, at.clock().instant()))
                                    .orElse("never")
                            + ".\n");
                }
                return ExitCode.DONE.number();
            });
        }

        @Override
        protected int run() {
            var span = Times.span(by);
            return SiteContexts.with(at, target, context -> {
                var extension = new LeaseOperation(context).extend(span.duration());
                var lease = extension.lease();
                at.tell(extension.diagnostics());
                if (json) {
                    printJson(lease);
                } else {
                    print("The site " + context.site().name() + " ends "
                            + LeaseWords.ends(lease, at.clock().instant()) + ".\n");
                }
                return (extension.diagnostics().isEmpty() ? ExitCode.DONE : ExitCode.FAILED).number();
            });
        }
    }

    @Command(
            name = "end",
            description = "End the site now: the same as destroy.",
            footer = {"  deepsite lease end", "  deepsite lease end lab/site.yaml --yes"})
    static final class End extends OfSite implements AlsoAtService {
        @Mixin
        private RunOptions options = new RunOptions();

        End(CommandContext at) {
            super(at);
        }

        @Override
        public int runAt(String service) {
            onlyAtService("--yes");
            return AtService.with(
                    at,
                    service,
                    opened -> new ServiceFlow(at, this, opened).destroy(opened.site(file().toString()), options.yes()));
        }

        @Override
        int work(SiteContext context) {
            return DestroyCommand.destroy(at, this, options, context);
        }
    }

    @Command(
            name = "reap",
            description = {
                "Destroy every site of a back-end whose lease has expired.",
                "Works from the tags alone, without a state folder. A timer or cron runs it once a minute; running it"
                        + " often, or twice at once, does no harm. Does not ask: the leases were the consent."
            },
            footer = {
                "  deepsite lease reap",
                "  deepsite lease reap --endpoint https://lxd.example:8443 --site lab/site.yaml"
            })
    static final class Reap extends OfBackEnd {
        @Option(
                names = {"-y", "--yes"},
                description = "Has no effect: reap never asks.")
        @SuppressWarnings("unused") // timers of earlier versions pass it
        private boolean yes;

        Reap(CommandContext at) {
            super(at);
        }

        @Override
        int work(Provider provider) {
            var result = new Reaper(provider, this::say).reap(at.clock().instant());
            at.tell(result.diagnostics());
            if (json) {
                printJson(Map.of("reaped", LeasesView.json(result.reaped())));
            } else {
                result.reaped().forEach(site -> print("The site " + site.site() + " was destroyed.\n"));
                if (result.reaped().isEmpty() && result.diagnostics().isEmpty()) {
                    say("No lease has expired.");
                }
            }
            return (result.diagnostics().isEmpty() ? ExitCode.DONE : ExitCode.FAILED).number();
        }
    }
}
