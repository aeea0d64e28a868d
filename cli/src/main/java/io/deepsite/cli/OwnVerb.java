package io.deepsite.cli;

import java.util.Locale;
import picocli.CommandLine;

/** The commands that belong to no kind of cluster, in the order of the help. */
enum OwnVerb implements Verb {
    INIT(Topic.SITE),
    IMPORT(Topic.SITE),
    VALIDATE(Topic.SITE),
    EXPLAIN(Topic.SITE),
    SCHEMA(Topic.SITE),
    PLAN(Topic.CHANGE),
    APPLY(Topic.CHANGE),
    SCALE(Topic.CHANGE),
    ELASTIC(Topic.CHANGE),
    REBUILD(Topic.CHANGE),
    DESTROY(Topic.CHANGE),
    STATUS(Topic.INSPECT),
    VERIFY(Topic.INSPECT),
    DRIFT(Topic.INSPECT),
    LOGS(Topic.INSPECT),
    GRAPH(Topic.INSPECT),
    REPORT(Topic.INSPECT),
    RUN(Topic.USE),
    SSH(Topic.USE),
    CERTIFICATE(Topic.USE),
    USERS(Topic.USE),
    LEASE(Topic.USE),
    SECRETS(Topic.USE),
    ENROLL(Topic.USE),
    RENDER(Topic.USE),
    BUNDLE(Topic.USE),
    IMAGE(Topic.USE),
    SERVE(Topic.OFFER),
    LOGIN(Topic.ORDER),
    LOGOUT(Topic.ORDER),
    WHOAMI(Topic.ORDER),
    CATALOGUE(Topic.ORDER),
    SITES(Topic.ORDER),
    STATE(Topic.REPAIR),
    UNLOCK(Topic.REPAIR),
    ADOPT(Topic.REPAIR),
    GC(Topic.REPAIR),
    DOCTOR(Topic.REPAIR),
    COMPLETION(Topic.TOOL),
    VERSION(Topic.TOOL);

    private final Topic topic;

    OwnVerb(Topic topic) {
        this.topic = topic;
    }

    @Override
    public Topic topic() {
        return topic;
    }

    @Override
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public CommandLine make(CommandContext at) {
        return ServiceOption.shownWhereItHasAMeaning(made(at));
    }

    private CommandLine made(CommandContext at) {
        return switch (this) {
            case INIT -> new CommandLine(new InitCommand(at), Words.factory(at.kinds()));
            case IMPORT -> ImportCommand.line(at);
            case VALIDATE -> new CommandLine(new ValidateCommand(at));
            case EXPLAIN -> new CommandLine(new ExplainCommand(at));
            case SCHEMA -> new CommandLine(new SchemaCommand(at));
            case PLAN -> new CommandLine(new PlanCommand(at));
            case APPLY -> new CommandLine(new ApplyCommand(at));
            case ELASTIC -> new CommandLine(new ElasticCommand(at));
            case SCALE -> new CommandLine(new ScaleCommand(at));
            case REBUILD -> new CommandLine(new RebuildCommand(at));
            case DESTROY -> new CommandLine(new DestroyCommand(at));
            case STATUS -> new CommandLine(new StatusCommand(at));
            case VERIFY -> new CommandLine(new VerifyCommand(at));
            case DRIFT -> new CommandLine(new DriftCommand(at));
            case LOGS -> new CommandLine(new LogsCommand(at));
            case GRAPH -> new CommandLine(new GraphCommand(at));
            case REPORT -> new CommandLine(new ReportCommand(at));
            case RUN -> RunCommand.line(at);
            case SSH -> new CommandLine(new SshCommand(at));
            case CERTIFICATE -> new CommandLine(new CertificateCommand(at));
            case USERS -> UsersCommand.line(at);
            case LEASE -> LeaseCommand.line(at);
            case SECRETS -> SecretsCommand.line(at);
            case ENROLL -> new CommandLine(new EnrollCommand(at));
            case RENDER -> new CommandLine(new RenderCommand(at));
            case BUNDLE -> new CommandLine(new BundleCommand(at));
            case IMAGE -> ImageCommand.line(at);
            case SERVE -> new CommandLine(new ServeCommand(at));
            case LOGIN -> new CommandLine(new LoginCommand(at));
            case LOGOUT -> new CommandLine(new LogoutCommand(at));
            case WHOAMI -> new CommandLine(new WhoamiCommand(at));
            case CATALOGUE -> new CommandLine(new CatalogueCommand(at));
            case SITES -> new CommandLine(new SitesCommand(at));
            case STATE -> StateCommand.line(at);
            case UNLOCK -> new CommandLine(new UnlockCommand(at));
            case ADOPT -> new CommandLine(new AdoptCommand(at));
            case GC -> new CommandLine(new GcCommand(at));
            case DOCTOR -> new CommandLine(new DoctorCommand(at), Words.factory(at.kinds()));
            case COMPLETION -> new CommandLine(new CompletionCommand(at));
            case VERSION -> new CommandLine(new VersionCommand(at));
        };
    }
}
