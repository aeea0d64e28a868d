package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.operations.SiteContext;
import io.deepsite.remote.KnownHosts;
import io.deepsite.remote.ShellWord;
import io.deepsite.remote.SshConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite ssh}: runs OpenSSH to a host of the site, with the site's own keys. */
@Command(
        name = "ssh",
        description = {
            "Log in to a host of the site.",
            "Uses the site's own keys, and checks the host's key strictly. With a command, runs that instead and ends with its exit code."
        },
        footer = {
            "  deepsite ssh head",
            "  deepsite ssh --site lab/site.yaml node-1 -- journalctl -n 50",
            "  deepsite ssh control -L 8443:172.29.236.101:443      # a web page that only that host reaches"
        })
final class SshCommand extends DeepsiteCommand {
    private static final Pattern FORWARD =
            Pattern.compile("[0-9]{1,5}:([A-Za-z0-9._-]+|\\[[0-9a-fA-F:]+\\]):[0-9]{1,5}");

    @Parameters(index = "0", paramLabel = "HOST", description = "A machine of the site, such as node-1.")
    private String host = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "After --: the command to run there.")
    private List<String> argv = new ArrayList<>();

    @Option(
            names = {"-L", "--forward"},
            paramLabel = "PORT:ADDRESS:PORT",
            description =
                    "Forward a local port to an address that the host reaches; may be repeated. Without a COMMAND it only"
                            + " forwards, until ^C.")
    private List<String> forwards = new ArrayList<>();

    @Mixin
    private SiteOption target = new SiteOption();

    SshCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        forwards.forEach(SshCommand::checkForward);
        return SiteContexts.with(at, target, this::login);
    }

    private int login(SiteContext context) {
        var there = context.target(host);
        // The command on the host handles ^C.
        Signals.on("INT", () -> {});
        try {
            var known = Files.createTempFile("deepsite-known-", "");
            var config = Files.createTempFile("deepsite-ssh-", "");
            try {
                Files.writeString(known, KnownHosts.text(List.of(there)));
                Files.writeString(config, SshConfig.text(there, known));
                var words = new ArrayList<>(List.of("ssh", "-F", config.toString()));
                words.addAll(forwarding());
                words.addAll(List.of("--", there.name()));
                // OpenSSH joins its arguments with blanks and lets a shell split them again.
                words.addAll(argv.stream().map(ShellWord::quoteIfNeeded).toList());
                return new ProcessBuilder(words).inheritIO().start().waitFor();
            } finally {
                Files.delete(known);
                Files.delete(config);
            }
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.PROGRAM_MISSING,
                            "OpenSSH's client cannot be started: " + e.getMessage() + ".",
                            "Install it:",
                            "apt-get install openssh-client"),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private List<String> forwarding() {
        var words = new ArrayList<String>();
        forwards.forEach(forward -> words.addAll(List.of("-L", "127.0.0.1:" + forward)));
        if (!forwards.isEmpty()) {
            words.addAll(List.of("-o", "ExitOnForwardFailure=yes"));
            if (argv.isEmpty()) {
                words.add("-N");
            }
        }
        return words;
    }

    private static void checkForward(String forward) {
        if (!FORWARD.matcher(forward).matches()) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    "--forward " + forward + " is not LOCAL_PORT:ADDRESS:PORT.",
                    "Write it like this:",
                    "deepsite ssh HOST -L 8443:172.29.236.101:443"));
        }
    }
}
