package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.session.FrontDoors;
import io.deepsite.session.SiteSession;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite kubeconfig}: what kubectl needs to reach a cluster. */
@Command(
        name = "kubeconfig",
        description = {
            "Write a kubeconfig of a Kubernetes cluster.",
            "The administrator's own; with --user a new client certificate for that user and the user's groups; with --oidc none"
                    + " but a login at the identity provider by kubectl's plugin oidc-login. Without -o it goes to standard output."
        },
        footer = {
            "  deepsite kubeconfig k8s -o ~/.kube/config",
            "  deepsite kubeconfig k8s --user alice -o alice.conf",
            "  deepsite kubeconfig k8s --oidc -o users.conf"
        })
final class KubeconfigCommand extends DeepsiteCommand {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Parameters(index = "0", paramLabel = "CLUSTER", description = "A cluster of site.yaml.")
    private String cluster = "";

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USER",
            description = "For this user instead of the administrator.")
    private @Nullable String user;

    @Option(names = "--oidc", description = "Without a secret: each user logs in at the identity provider.")
    private boolean oidc;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write it there, for you alone to read (0600).")
    private @Nullable Path output;

    @Mixin
    private SiteOption target = new SiteOption();

    KubeconfigCommand(Workplace at) {
        super(at);
    }

    @Override
    protected int run() {
        return Sessions.with(at, target, this::fetch);
    }

    private int fetch(SiteSession session) {
        if (oidc && user != null) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    "With --oidc everybody logs in with a name of their own, so there is no --user.",
                    "Leave one of the two out."));
        }
        var door = new FrontDoors(session)
                .kubeconfig(Names.parse(cluster), Optional.ofNullable(user).map(Names::parse), oidc);
        var text = new ByteArrayOutputStream();
        var said = new ByteArrayOutputStream();
        try (var host = session.remote().open(session.target(door.host()))) {
            int exit = host.exec(door.argv(), InputStream.nullInputStream(), text, said, LIMIT);
            if (exit != 0) {
                throw new Failure(Diagnostic.error(
                        Code.NOT_PROVED,
                        door.host() + " made no kubeconfig: "
                                + said.toString(StandardCharsets.UTF_8).strip(),
                        "`deepsite verify` tells whether the cluster works."));
            }
        }
        if (output == null) {
            at.terminal().out().print(text.toString(StandardCharsets.UTF_8));
        } else {
            write(output, text.toByteArray());
        }
        return ExitCode.DONE.number();
    }

    private static void write(Path file, byte[] text) {
        try {
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(file, text);
        } catch (IOException e) {
            throw OutputFile.notWritten(file, e);
        }
    }
}
