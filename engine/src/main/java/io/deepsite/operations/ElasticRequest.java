package io.deepsite.operations;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What a controller says of its elastic machines, as {@link io.deepsite.cluster.Elastic} describes it. It is a managed host:
 * only names of its own elastic machines are taken from it, and everything else it says is dropped.
 */
record ElasticRequest(SortedSet<String> wanted, SortedSet<String> released, SortedSet<String> failed) {
    private static final int LONGEST_NAME = 63;

    ElasticRequest {
        wanted = Collections.unmodifiableSortedSet(new TreeSet<>(wanted));
        released = Collections.unmodifiableSortedSet(new TreeSet<>(released));
        failed = Collections.unmodifiableSortedSet(new TreeSet<>(failed));
    }

    /**
     * One line.
     *
     * @param elastic whether the cluster has such an elastic machine
     * @param refused what was dropped, short
     * @return empty for a line that is none
     */
    static Optional<ElasticRequest> parse(String line, Predicate<String> elastic, Consumer<String> refused) {
        var words = line.split(" ", -1);
        if (words.length != 3
                || !words[0].startsWith("wanted=")
                || !words[1].startsWith("released=")
                || !words[2].startsWith("failed=")) {
            refused.accept(shortened(line));
            return Optional.empty();
        }
        return Optional.of(new ElasticRequest(
                names(words[0], elastic, refused),
                names(words[1], elastic, refused),
                names(words[2], elastic, refused)));
    }

    private static SortedSet<String> names(String word, Predicate<String> elastic, Consumer<String> refused) {
        var names = new TreeSet<String>();
        for (var name : word.substring(word.indexOf('=') + 1).split(",", -1)) {
            if (elastic.test(name)) {
                names.add(name);
            } else if (!name.isEmpty()) {
                refused.accept(shortened(name));
            }
        }
        return names;
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME) + "...";
    }
}
