package io.deepsite.cli;

import io.deepsite.cli.view.CertificateView;
import io.deepsite.cli.view.OrderedCertificateView;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.operations.SiteContext;
import io.deepsite.operations.UserCertificates;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite certificate}: signs a user's SSH key for a while. */
@Command(
        name = "certificate",
        description = {
            "Sign a short-lived SSH certificate for a user of the site.",
            "With it the user logs in to the hosts by plain ssh. Needs ssh.certificates in site.yaml, and the site applied; reads"
                    + " only what is recorded, and changes nothing there."
        },
        footer = {
            "  deepsite certificate alice --key alice.pub",
            "  deepsite certificate alice --for 1h                    # of ~/.ssh/id_ed25519.pub",
            "  deepsite certificate alice --key - < alice.pub > alice-cert.pub",
            "  deepsite certificate --site course --service https://clusters.example.org"
        })
final class CertificateCommand extends DeepsiteCommand implements AlsoAtService {
    private static final String STANDARD = "-";
    private static final String PUBLIC = ".pub";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "USER",
            description = "A login name under users in site.yaml; at a service it is yours.")
    private @Nullable String user;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            defaultValue = "~/.ssh/id_ed25519.pub",
            description = "Public key to sign; - reads it from stdin (default: ${DEFAULT-VALUE}).")
    private String key = "";

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description =
                    "How long it is valid, with its unit: 30m, 4h (default: as long as ssh.certificates.validity allows).")
    private @Nullable String time;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "Where to write it (default: beside the key, as <key>-cert.pub, where ssh finds it; with --key - stdout).")
    private @Nullable Path output;

    @Mixin
    private SiteOption target = new SiteOption();

    CertificateCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        var asked = Optional.ofNullable(time).map(Times::span);
        if (user == null) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    "Nothing says for whom the certificate is.",
                    "Name a user of site.yaml:",
                    "deepsite certificate USER"));
        }
        var login = user;
        return SiteContexts.with(at, target, context -> sign(context, login, asked));
    }

    @Override
    public int runAt(String service) {
        onlyAtService("--site", "--key", "--output");
        if (user != null) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_AT_SERVICE,
                    "A service signs certificates for your own account only, and knows its name.",
                    "Leave out " + user + "."));
        }
        return AtService.with(at, service, opened -> {
            var site = opened.site(target.file().toString());
            var answer = opened.sites().certificate(site, publicKey());
            var text = answer.path("certificate").asString("");
            var written = written();
            written.ifPresent(there -> write(there, text));
            if (json) {
                printJson(answer);
            } else if (written.isEmpty()) {
                print(text + "\n");
            } else {
                print(new OrderedCertificateView(answer, at.clock().instant()).text(written.get(), privateKey()));
            }
            return ExitCode.DONE.number();
        });
    }

    private int sign(SiteContext context, String login, Optional<Span> asked) {
        var signed = new UserCertificates(context).sign(name(login), publicKey(), asked);
        var written = written();
        written.ifPresent(there -> write(there, signed.text()));
        var site = context.site();
        var view = new CertificateView(
                login,
                site.name().value(),
                signed,
                site.ssh().jump(),
                at.clock().instant());
        if (json) {
            printJson(view.json(written));
        } else if (written.isEmpty()) {
            print(signed.text() + "\n");
        } else {
            print(view.text(written.get(), privateKey()));
        }
        return ExitCode.DONE.number();
    }

    private String publicKey() {
        return file().map(CertificateCommand::read)
                .orElseGet(() -> at.terminal().in().lines().collect(Collectors.joining("\n")));
    }

    /** Empty for stdin. */
    private Optional<Path> file() {
        return Optional.of(key).filter(name -> !name.equals(STANDARD)).map(this::path);
    }

    /** Empty for stdout. */
    private Optional<Path> written() {
        return Optional.ofNullable(output).or(() -> file().map(CertificateCommand::beside));
    }

    private Optional<Path> privateKey() {
        return file().map(CertificateCommand::withoutEnding).filter(Files::exists);
    }

    private static Name name(String user) {
        try {
            return Name.parse(user);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.NO_SUCH_USER,
                            "\"" + user + "\" is no login name of a site: " + e.getMessage() + ".",
                            "Give a name under users in site.yaml."),
                    e);
        }
    }

    private Path path(String name) {
        return name.startsWith("~/") ? at.userHome().resolve(name.substring(2)) : Path.of(name);
    }

    private static String read(Path file) {
        try {
            var text = Files.readString(file);
            if (text.contains("PRIVATE KEY")) {
                throw new Failure(Diagnostic.error(
                        Code.NOT_SSH_KEY,
                        file + " is a private key, which stays with its owner. It was only read here.",
                        "Give the public half, " + file + PUBLIC + "."));
            }
            return text;
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.FILE_UNREADABLE,
                            file + " cannot be read: " + FileFault.words(e) + ".",
                            "Name the user's public key with --key; the user makes one like this:",
                            "ssh-keygen -t ed25519"),
                    e);
        }
    }

    /** Where ssh looks for it. */
    private static Path beside(Path key) {
        return Path.of(withoutEnding(key) + "-cert" + PUBLIC);
    }

    private static Path withoutEnding(Path key) {
        var name = key.toString();
        return name.endsWith(PUBLIC) ? Path.of(name.substring(0, name.length() - PUBLIC.length())) : key;
    }

    private void write(Path file, String text) {
        try {
            if (Files.exists(file) && !Files.readString(file).contains("-cert-v01@openssh.com ")) {
                throw new Failure(Diagnostic.error(
                        Code.FILE_NOT_WRITTEN,
                        file + " exists and is no certificate; it was not overwritten.",
                        "Name another file with --output."));
            }
        } catch (IOException e) {
            throw FileFault.notWritten(file, e);
        }
        OutputFile.write(file, target.file(), text + "\n");
    }
}
