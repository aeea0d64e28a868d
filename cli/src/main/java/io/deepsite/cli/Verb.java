package io.deepsite.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;

/** All commands, in the order of the help. A command's class is loaded on demand. */
enum Verb {
    INIT(Topic.SITE),
    VALIDATE(Topic.SITE),
    EXPLAIN(Topic.SITE),
    SCHEMA(Topic.SITE),
    PLAN(Topic.CHANGE),
    APPLY(Topic.CHANGE),
    SCALE(Topic.CHANGE),
    REBUILD(Topic.CHANGE),
    DESTROY(Topic.CHANGE),
    STATUS(Topic.INSPECT),
    VERIFY(Topic.INSPECT),
    DRIFT(Topic.INSPECT),
    LOGS(Topic.INSPECT),
    GRAPH(Topic.INSPECT),
    RUN(Topic.USE),
    SSH(Topic.USE),
    KUBECONFIG(Topic.USE),
    LEASE(Topic.USE),
    SECRETS(Topic.USE),
    ENROLL(Topic.USE),
    RENDER(Topic.USE),
    BUNDLE(Topic.USE),
    IMAGE(Topic.USE),
    STATE(Topic.REPAIR),
    UNLOCK(Topic.REPAIR),
    ADOPT(Topic.REPAIR),
    GC(Topic.REPAIR),
    DOCTOR(Topic.REPAIR),
    COMPLETION(Topic.TOOL),
    VERSION(Topic.TOOL);

    /** What a group of commands is for. */
    enum Topic {
        SITE("Write a site"),
        CHANGE("Apply a site"),
        INSPECT("Inspect a site"),
        USE("Use a site"),
        REPAIR("Repair"),
        TOOL("About deepsite");

        private final String title;

        Topic(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    private final Topic topic;

    Verb(Topic topic) {
        this.topic = topic;
    }

    Topic topic() {
        return topic;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    CommandLine make(CommandContext at) {
        return switch (this) {
            case INIT -> new CommandLine(new InitCommand(at));
            case VALIDATE -> new CommandLine(new ValidateCommand(at));
            case EXPLAIN -> new CommandLine(new ExplainCommand(at));
            case SCHEMA -> new CommandLine(new SchemaCommand(at));
            case PLAN -> new CommandLine(new PlanCommand(at));
            case APPLY -> new CommandLine(new ApplyCommand(at));
            case SCALE -> new CommandLine(new ScaleCommand(at));
            case REBUILD -> new CommandLine(new RebuildCommand(at));
            case DESTROY -> new CommandLine(new DestroyCommand(at));
            case STATUS -> new CommandLine(new StatusCommand(at));
            case VERIFY -> new CommandLine(new VerifyCommand(at));
            case DRIFT -> new CommandLine(new DriftCommand(at));
            case LOGS -> new CommandLine(new LogsCommand(at));
            case GRAPH -> new CommandLine(new GraphCommand(at));
            case RUN -> new CommandLine(new RunCommand(at));
            case SSH -> new CommandLine(new SshCommand(at));
            case KUBECONFIG -> new CommandLine(new KubeconfigCommand(at));
            case LEASE -> LeaseCommand.line(at);
            case SECRETS -> SecretsCommand.line(at);
            case ENROLL -> new CommandLine(new EnrollCommand(at));
            case RENDER -> new CommandLine(new RenderCommand(at));
            case BUNDLE -> new CommandLine(new BundleCommand(at));
            case IMAGE -> ImageCommand.line(at);
            case STATE -> StateCommand.line(at);
            case UNLOCK -> new CommandLine(new UnlockCommand(at));
            case ADOPT -> new CommandLine(new AdoptCommand(at));
            case GC -> new CommandLine(new GcCommand(at));
            case DOCTOR -> new CommandLine(new DoctorCommand(at));
            case COMPLETION -> new CommandLine(new CompletionCommand(at));
            case VERSION -> new CommandLine(new VersionCommand(at));
        };
    }

    static Optional<Verb> of(String word) {
        return Arrays.stream(values()).filter(verb -> verb.word().equals(word)).findFirst();
    }
}
