package io.deepsite.cli;

import io.deepsite.cluster.WorkOptions;
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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite run}: a command through a cluster's scheduler. */
@Command(
        name = "run",
        description = {
            "Run a command through the cluster's scheduler.",
            "Streams what it says. On Slurm that is srun, on Kubernetes a pod of its own; it ends with the command's own exit code."
                    + " On Mesos it is a job of Chronos, and ends with 0 or 1."
        },
        footer = {
            "  deepsite run hpc -- hostname",
            "  deepsite run hpc --user alice -- ./simulate --steps 1000",
            "  deepsite run hpc -- sh -c 'echo $SLURM_JOB_ID'"
        })
final class RunCommand extends DeepsiteCommand {
    private final List<WorkOptions> works;
    private final SiteOption target = new SiteOption();

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

    private RunCommand(CommandContext at, List<WorkOptions> works) {
        super(at);
        this.works = works;
    }

    /** With the options that kinds of clusters add. */
    static CommandLine line(CommandContext at) {
        var works = at.kinds().all().stream()
                .flatMap(kind -> kind.workOptions().stream())
                .toList();
        var command = new RunCommand(at, works);
        var line = new CommandLine(command);
        var usage = line.getCommandSpec().usageMessage();
        for (var work : works) {
            var added = CommandSpec.forAnnotatedObject(work);
            line.getCommandSpec().addMixin(work.getClass().getName(), added);
            usage.description(joined(usage.description(), added.usageMessage().description()));
            usage.footer(joined(usage.footer(), added.usageMessage().footer()));
        }
        line.getCommandSpec().addMixin("site", CommandSpec.forAnnotatedObject(command.target));
        return line;
    }

    private static String[] joined(String[] first, String[] second) {
        return Stream.concat(Arrays.stream(first), Arrays.stream(second)).toArray(String[]::new);
    }

    @Override
    protected int run() {
        var work = works.stream().filter(WorkOptions::describeWork).findFirst();
        if (work.isPresent()) {
            if (!argv.isEmpty() || user != null) {
                throw new Failure(Diagnostic.error(
                        Code.COMMAND_LINE,
                        "The file describes the work, so there is no command and no --user beside it.",
                        "Leave one of the two out."));
            }
            return work.get().run(Names.parse(cluster), new Invocation(this, target));
        }
        if (argv.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    "Nothing says what to run.",
                    works.stream()
                            .map(one -> ", or " + one.hint())
                            .collect(Collectors.joining("", "Write a command after --", "."))));
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
