package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.provider.Introduction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite enroll}: registers the site's client certificate with its back-end. */
@Command(
        name = "enroll",
        description = {
            "Make a back-end trust the client certificate that the site names.",
            "For LXD and Incus over https. Creates the certificate and its key if neither exists. With a token, also saves the server's certificate. Reads the token or password from a file or a variable, never from the command line."
        },
        footer = {
            "  lxc config trust add --name deepsite            # on the LXD host: prints the token",
            "  deepsite enroll --token-file lxd.token",
            "  incus config trust add deepsite                # on an Incus host",
            "  deepsite enroll lab/site.yaml --password-env LXD_TRUST_PASSWORD"
        })
final class EnrollCommand extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    @ArgGroup(multiplicity = "1", order = 10)
    @SuppressWarnings("NullAway.Init") // picocli requires one
    private By by;

    private static final class By {
        @Option(
                names = "--token-file",
                paramLabel = "FILE",
                order = 10,
                description = "File that holds the token, and nothing else.")
        private @Nullable Path tokenFile;

        @Option(
                names = "--token-env",
                paramLabel = "NAME",
                order = 11,
                description = "Environment variable that holds the token.")
        private @Nullable String tokenVariable;

        @Option(
                names = "--password-file",
                paramLabel = "FILE",
                order = 12,
                description =
                        "File that holds the trust password. The server's certificate must already be in its file.")
        private @Nullable Path passwordFile;

        @Option(
                names = "--password-env",
                paramLabel = "NAME",
                order = 13,
                description = "Environment variable that holds the trust password.")
        private @Nullable String passwordVariable;

        Introduction read(Map<String, String> environment) {
            var kind =
                    tokenFile != null || tokenVariable != null ? Introduction.Kind.TOKEN : Introduction.Kind.PASSWORD;
            var file = tokenFile != null ? tokenFile : passwordFile;
            var variable = tokenVariable != null ? tokenVariable : passwordVariable;
            var text = (file != null ? content(file) : environment.getOrDefault(String.valueOf(variable), "")).strip();
            if (text.isEmpty()) {
                throw new Failure(Diagnostic.error(
                        Code.COMMAND_LINE,
                        (file != null ? "The file " + file : "The variable " + variable) + " is empty or not set.",
                        "Put the token or password there, and nothing else; then run the same command again."));
            }
            return new Introduction(kind, text);
        }

        private static String content(Path file) {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new Failure(
                        Diagnostic.error(
                                Code.FILE_UNREADABLE,
                                file + " cannot be read: " + FileFault.words(e) + ".",
                                "Name the file that holds the token or password."),
                        e);
            }
        }
    }

    EnrollCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        var file = target.file();
        at.about(new SiteWords(file, target.set(), target.store()));
        var site = at.loader().load(file, target.set()).orFail();
        var folder = file.toAbsolutePath().getParent();
        var done = at.kinds()
                .providers()
                .enroll(site.provider(), folder == null ? file : folder, by.read(at.environment()));
        if (json) {
            printJson(Map.of("done", done));
        } else {
            print(String.join("\n", done) + "\n");
        }
        return ExitCode.DONE.number();
    }
}
