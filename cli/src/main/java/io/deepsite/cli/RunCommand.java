package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.operations.ClusterAccess;
import io.deepsite.operations.SiteContext;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite run}: a command through a cluster's scheduler. */
@Command(
        name = "run",
        description = {
            "Run a command through the cluster's scheduler.",
            "Streams what it says. On Slurm that is srun, on Kubernetes a pod of its own; it ends with the command's own exit code."
                    + " On Mesos it is a job of Chronos, and ends with 0 or 1.",
            "With --marathon or --chronos it gives a Mesos cluster the work that a file describes, follows it, and prints what it"
                    + " wrote."
        },
        footer = {
            "  deepsite run hpc -- hostname",
            "  deepsite run hpc --user alice -- ./simulate --steps 1000",
            "  deepsite run hpc -- sh -c 'echo $SLURM_JOB_ID'",
            "  deepsite run tasks --marathon app.yaml",
            "  deepsite run tasks --chronos job.yaml --token-file token --ca-file door.crt",
            "  deepsite run tasks --chronos job.yaml --dry-run"
        })
final class RunCommand extends DeepsiteCommand {
    @Parameters(index = "0", paramLabel = "CLUSTER", description = "A cluster of site.yaml.")
    private String cluster = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "After --: the command and its arguments.")
    private List<String> argv = new ArrayList<>();

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USER",
            description =
                    "Whose job it is (default on Slurm: the first user of the site, else the one of acceptance jobs; on Kubernetes: the administrator).")
    private @Nullable String user;

    @Mixin
    private WorkOptions work = new WorkOptions();

    @Mixin
    private SiteOption target = new SiteOption();

    RunCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        if (work.isAsked()) {
            if (!argv.isEmpty() || user != null) {
                throw new Failure(Diagnostic.error(
                        Code.COMMAND_LINE,
                        "The file describes the work, so there is no command and no --user beside it.",
                        "Leave one of the two out."));
            }
            return new WorkRun(at, this, work, Names.parse(cluster)).run(target);
        }
        work.refuseAlone();
        if (argv.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    "Nothing says what to run.",
                    "Write a command after --, or name a file with --marathon or --chronos."));
        }
        return SiteContexts.with(at, target, this::stream);
    }

    private int stream(SiteContext context) {
        var door = new ClusterAccess(context)
                .run(Names.parse(cluster), Optional.ofNullable(user).map(Names::parse));
        var words = new ArrayList<>(door.argv());
        words.addAll(argv);
        try (var host = context.remote().open(context.target(door.host()))) {
            return host.exec(
                    words,
                    at.terminal().asks() ? InputStream.nullInputStream() : System.in,
                    new FileOutputStream(FileDescriptor.out),
                    new FileOutputStream(FileDescriptor.err),
                    Duration.ZERO);
        }
    }
}
