package io.deepsite.cli;

import java.util.ArrayList;
import java.util.List;

/** The values that an option takes, for help and completion. */
abstract class Words extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Words(List<String> words, String... more) {
        super(words);
        addAll(List.of(more));
    }
}
