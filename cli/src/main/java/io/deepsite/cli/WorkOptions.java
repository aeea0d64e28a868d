package io.deepsite.cli;

import io.deepsite.cluster.mesos.WorkLoader.Framework;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.diag.Where;
import io.deepsite.site.Span;
import io.deepsite.state.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Work for a Mesos cluster that a file describes. */
final class WorkOptions {
    @Option(
            names = "--marathon",
            paramLabel = "FILE",
            description =
                    "A service for Marathon: name, image, command, cpus, memory, gpus, ports, env (docs/guides/mesos.md).")
    private @Nullable Path service;

    @Option(
            names = "--chronos",
            paramLabel = "FILE",
            description = "A job for Chronos: the same, with a schedule in place of ports.")
    private @Nullable Path job;

    @Option(names = "--dry-run", description = "Print the JSON that the framework would get, and send nothing.")
    private boolean dryRun;

    @Option(names = "--detach", description = "Do not follow it.")
    private boolean detach;

    @Option(names = "--now", description = "Start a job that has a schedule once at once, too.")
    private boolean now;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "5m",
            description = "How long it is followed (default: ${DEFAULT-VALUE}).")
    private String patience = "5m";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "Go through the cluster's front door with this token of the identity provider, instead of to a master.")
    private @Nullable Path token;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "The certificate by which that door is trusted, where it is no public one.")
    private @Nullable Path authority;

    boolean isAsked() {
        return service != null || job != null;
    }

    /** Options that are about a file, without one. */
    void refuseAlone() {
        if (dryRun || detach || now || token != null || authority != null) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    "--dry-run, --detach, --now, --token-file and --ca-file are about work that a file describes.",
                    "Name it with --marathon or --chronos."));
        }
    }

    Framework framework() {
        if (service != null && job != null) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE, "Work is given to Marathon or to Chronos.", "Leave one of the two out."));
        }
        return service == null ? Framework.CHRONOS : Framework.MARATHON;
    }

    Path file() {
        return Objects.requireNonNull(service == null ? job : service);
    }

    boolean isDry() {
        return dryRun;
    }

    boolean follows() {
        return !detach;
    }

    boolean startsNow() {
        return now;
    }

    Duration patience() {
        try {
            return Span.parse(patience).duration();
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.COMMAND_LINE, "--wait " + patience + ": " + e.getMessage() + ".", "Write --wait 5m."),
                    e);
        }
    }

    Optional<Secret> token() {
        if (token == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Secret.of(Files.readString(token).strip()));
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.FILE_UNREADABLE,
                            Where.file(token.toString()),
                            FileFault.words(e),
                            "Put the token there, or name another file."),
                    e);
        }
    }

    Optional<Path> authority() {
        return Optional.ofNullable(authority);
    }
}
