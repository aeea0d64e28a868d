package io.deepsite.cluster.mesos;

import io.deepsite.cluster.InvocationContext;
import io.deepsite.cluster.SiteAccess;
import io.deepsite.cluster.WorkOptions;
import io.deepsite.cluster.mesos.WorkLoader.Framework;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.diag.Where;
import io.deepsite.render.JsonText;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import io.deepsite.state.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code deepsite run --marathon} and {@code --chronos}: work for a Mesos cluster that a file describes. */
@Command(
        description =
                "With --marathon or --chronos it gives a Mesos cluster the work that a file describes, follows it, and prints what it"
                        + " wrote.",
        footer = {
            "  deepsite run tasks --marathon app.yaml",
            "  deepsite run tasks --chronos job.yaml --token-file token --ca-file door.crt",
            "  deepsite run tasks --chronos job.yaml --dry-run"
        })
final class MesosWorkOptions implements WorkOptions {
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

    @Override
    public boolean describeWork() {
        boolean named = service != null || job != null;
        if (!named && (dryRun || detach || now || token != null || authority != null)) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    "--dry-run, --detach, --now, --token-file and --ca-file are about work that a file describes.",
                    "Name it with --marathon or --chronos."));
        }
        return named;
    }

    @Override
    public String hint() {
        return "name a file with --marathon or --chronos";
    }

    @Override
    public int run(Name cluster, InvocationContext context) {
        var framework = framework();
        var work = WorkLoader.load(Objects.requireNonNull(service == null ? job : service), framework);
        if (dryRun) {
            var json = new MesosWork(work);
            context.print(JsonText.of(framework == Framework.MARATHON ? json.app() : json.job()));
            return ExitCode.DONE.number();
        }
        return context.withSite(site -> show(context, give(site, cluster, framework, work)));
    }

    private MesosRun.Told give(SiteAccess site, Name cluster, Framework framework, Work work) {
        var access = new MesosAccess(site, cluster, patience());
        var token = token();
        return token.isPresent()
                ? give(access.withToken(token.get(), Optional.ofNullable(authority)), framework, work)
                : access.asAdministrator(run -> give(run, framework, work));
    }

    private MesosRun.Told give(MesosRun run, Framework framework, Work work) {
        return switch (framework) {
            case MARATHON -> run.service(work, !detach);
            case CHRONOS -> run.job(work, !detach, now);
        };
    }

    private static int show(InvocationContext context, MesosRun.Told told) {
        if (context.json()) {
            context.printJson(WorkView.json(told));
        } else {
            context.print(told.stdout());
            context.printError(told.stderr());
            context.say(WorkView.text(told, context::bold));
        }
        return (told.isWell() ? ExitCode.DONE : ExitCode.FAILED).number();
    }

    private Framework framework() {
        if (service != null && job != null) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE, "Work is given to Marathon or to Chronos.", "Leave one of the two out."));
        }
        return service == null ? Framework.CHRONOS : Framework.MARATHON;
    }

    private Duration patience() {
        try {
            return Span.parse(patience).duration();
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.COMMAND_LINE, "--wait " + patience + ": " + e.getMessage() + ".", "Write --wait 5m."),
                    e);
        }
    }

    private Optional<Secret> token() {
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
}
