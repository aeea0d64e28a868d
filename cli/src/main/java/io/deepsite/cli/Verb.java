package io.deepsite.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;

/** Every command there is, in the order of the help. A command's class is loaded when it is asked for. */
enum Verb {
    INIT(Topic.SITE),
    VALIDATE(Topic.SITE),
    EXPLAIN(Topic.SITE),
    SCHEMA(Topic.SITE),
    PLAN(Topic.CHANGE),
    APPLY(Topic.CHANGE),
    DESTROY(Topic.CHANGE),
    REBUILD(Topic.CHANGE),
    STATUS(Topic.LOOK),
    VERIFY(Topic.LOOK),
    DRIFT(Topic.LOOK),
    COMPLETION(Topic.TOOL),
    VERSION(Topic.TOOL);

    /** What a group of commands is for. */
    enum Topic {
        SITE("Write a site"),
        CHANGE("Make it true"),
        LOOK("Look at it"),
        USE("Use it"),
        LIFE("End it, keep it"),
        MEND("Mend what went wrong"),
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

    CommandLine make(Workplace at) {
        return new CommandLine(
                switch (this) {
                    case INIT -> new InitCommand(at);
                    case VALIDATE -> new ValidateCommand(at);
                    case EXPLAIN -> new ExplainCommand(at);
                    case SCHEMA -> new SchemaCommand(at);
                    case PLAN -> new PlanCommand(at);
                    case APPLY -> new ApplyCommand(at);
                    case DESTROY -> new DestroyCommand(at);
                    case REBUILD -> new RebuildCommand(at);
                    case STATUS -> new StatusCommand(at);
                    case VERIFY -> new VerifyCommand(at);
                    case DRIFT -> new DriftCommand(at);
                    case COMPLETION -> new CompletionCommand(at);
                    case VERSION -> new VersionCommand(at);
                });
    }

    static Optional<Verb> of(String word) {
        return Arrays.stream(values()).filter(verb -> verb.word().equals(word)).findFirst();
    }
}
