package io.deepsite.cli;

import io.deepsite.cluster.ClusterKinds;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** The values that an option takes, for help and completion. */
abstract class Words extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Words(List<String> words, String... more) {
        super(words);
        addAll(List.of(more));
    }

    /** Words that depend on the kinds and providers that there are: a constructor takes these, {@link #factory} calls it. */
    abstract static class Known extends Words {
        private static final long serialVersionUID = 1;

        Known(List<String> words, String... more) {
            super(words, more);
        }
    }

    /** For command lines with options of {@link Known} words. */
    static IFactory factory(ClusterKinds kinds) {
        return new IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                return Known.class.isAssignableFrom(type)
                        ? type.getDeclaredConstructor(ClusterKinds.class).newInstance(kinds)
                        : CommandLine.defaultFactory().create(type);
            }
        };
    }
}
