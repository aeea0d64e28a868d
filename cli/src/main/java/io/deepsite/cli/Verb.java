package io.deepsite.cli;

import io.deepsite.cluster.ClusterCommand;
import io.deepsite.cluster.ClusterKinds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;

/** A command of the command line: deepsite's own, or one that a kind of cluster adds. */
sealed interface Verb permits OwnVerb, Verb.OfKind {
    String word();

    Topic topic();

    /** Only this loads the class of the command. */
    CommandLine make(CommandContext at);

    /** What a group of commands is for. */
    enum Topic {
        SITE("Write a site"),
        CHANGE("Apply a site"),
        INSPECT("Inspect a site"),
        USE("Use a site"),
        OFFER("Offer sites to others"),
        ORDER("Use a service"),
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

    /** Every command there is, in the order of the help: those of kinds follow the commands that use any cluster. */
    static List<Verb> all(ClusterKinds kinds) {
        var all = new ArrayList<Verb>(Arrays.asList(OwnVerb.values()));
        var added = new ArrayList<Verb>();
        kinds.commands().forEach((word, command) -> added.add(new OfKind(word, command)));
        all.addAll(all.indexOf(OwnVerb.SSH) + 1, added);
        return all;
    }

    /** Asks the kinds only for a word that is not deepsite's own: that loads their classes. */
    static Optional<Verb> of(ClusterKinds kinds, String word) {
        return Arrays.<Verb>stream(OwnVerb.values())
                .filter(verb -> verb.word().equals(word))
                .findFirst()
                .or(() -> Optional.ofNullable(kinds.commands().get(word)).map(command -> new OfKind(word, command)));
    }

    /** A command that a kind of cluster adds. */
    record OfKind(String word, Supplier<? extends ClusterCommand> command) implements Verb {
        @Override
        public Topic topic() {
            return Topic.USE;
        }

        @Override
        public CommandLine make(CommandContext at) {
            return ServiceOption.shownWhereItHasAMeaning(KindCommand.line(at, word, command.get()));
        }
    }
}
