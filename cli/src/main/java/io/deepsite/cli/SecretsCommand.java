package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.operations.SecretKeeping;
import io.deepsite.operations.SiteContext;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite secrets}: what the site's vault holds. */
@Command(
        name = "secrets",
        description = "See and change the secrets of the site.",
        footer = {"  deepsite secrets list", "  deepsite secrets rotate munge_key && deepsite apply"})
final class SecretsCommand extends CommandGroup {
    private SecretsCommand() {}

    static CommandLine line(CommandContext at) {
        return new CommandLine(new SecretsCommand())
                .addSubcommand("list", new ListAll(at))
                .addSubcommand("show", new Show(at))
                .addSubcommand("set", new Set(at))
                .addSubcommand("rotate", new Rotate(at));
    }

    /** One that is about one secret. */
    abstract static class OfOne extends DeepsiteCommand {
        @Parameters(index = "0", paramLabel = "NAME", description = "Such as munge_key.")
        private String name = "";

        @Mixin
        private SiteOption target = new SiteOption();

        OfOne(CommandContext at) {
            super(at);
        }

        @Override
        protected final int run() {
            return SiteContexts.with(at, target, context -> {
                work(context, name);
                return ExitCode.DONE.number();
            });
        }

        abstract void work(SiteContext context, String secret);

        void tellChanged(String what) {
            if (json) {
                printJson(Map.of("secret", name, "changed", true));
            } else {
                print(name + " is " + what + ". The next apply brings it to the hosts.\n");
            }
        }
    }

    @Command(
            name = "list",
            description = "List the names of the secrets; never their values.",
            footer = {"  deepsite secrets list", "  deepsite secrets list lab/site.yaml --json"})
    static final class ListAll extends OfSite {
        ListAll(CommandContext at) {
            super(at);
        }

        @Override
        int work(SiteContext context) {
            var names = new SecretKeeping(context).names();
            if (json) {
                printJson(names);
            } else {
                print(names.isEmpty() ? "The site has no secret yet.\n" : String.join("\n", names) + "\n");
            }
            return ExitCode.DONE.number();
        }
    }

    @Command(
            name = "show",
            description = "Print one secret.",
            footer = {"  deepsite secrets show slurmdbd_password --reveal"})
    static final class Show extends OfOne {
        @Option(names = "--reveal", description = "Print the value itself; without it only that there is one.")
        private boolean reveal;

        Show(CommandContext at) {
            super(at);
        }

        @Override
        void work(SiteContext context, String secret) {
            var value = new SecretKeeping(context).show(secret);
            if (json) {
                printJson(reveal ? Map.of("secret", secret, "value", value.reveal()) : Map.of("secret", secret));
            } else {
                print(reveal ? value.reveal() + "\n" : secret + " is there; --reveal prints it.\n");
            }
        }
    }

    @Command(
            name = "set",
            description = "Add or replace a secret; its value is read from stdin, so that no process list shows it.",
            footer = {
                "  deepsite secrets set slurmdbd_password < password.txt",
                "  deepsite secrets set opennebula_cloud_ssh_key < id_ed25519"
            })
    static final class Set extends OfOne {
        Set(CommandContext at) {
            super(at);
        }

        @Override
        void work(SiteContext context, String secret) {
            new SecretKeeping(context).set(secret, value(secret));
            tellChanged("set");
        }

        private String value(String secret) {
            var console = at.terminal().asks() ? System.console() : null;
            var typed = console == null ? null : console.readPassword("%s: ", secret);
            var text = typed != null
                    ? new String(typed)
                    : at.terminal().in().lines().collect(Collectors.joining("\n"));
            if (text.isBlank()) {
                throw new Failure(Diagnostic.error(
                        Code.COMMAND_LINE,
                        "No value was given on stdin.",
                        "Give one:",
                        "deepsite secrets set " + secret + " < FILE"));
            }
            return text;
        }
    }

    @Command(
            name = "rotate",
            description = "Put a new random value in a secret's place.",
            footer = {"  deepsite secrets rotate munge_key && deepsite apply"})
    static final class Rotate extends OfOne {
        Rotate(CommandContext at) {
            super(at);
        }

        @Override
        void work(SiteContext context, String secret) {
            new SecretKeeping(context).rotate(secret);
            tellChanged("another now");
        }
    }
}
