package io.deepsite.cli;

import io.deepsite.plan.Consent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What a command may change without asking. */
class RunOptions {
    @Option(
            names = {"-y", "--yes"},
            order = 10,
            description = "Do not ask for confirmation. Does not replace --allow.")
    private boolean yes;

    @Option(
            names = "--allow",
            split = ",",
            paramLabel = "WHAT",
            order = 11,
            converter = ConsentWord.class,
            completionCandidates = ConsentWords.class,
            description = "Allow these destructive changes: ${COMPLETION-CANDIDATES}.")
    private List<Consent> allowed = new ArrayList<>();

    boolean yes() {
        return yes;
    }

    SortedSet<Consent> allowed() {
        return new TreeSet<>(allowed);
    }

    /** Where to write the results of verify; empty for nowhere. */
    Optional<Path> report() {
        return Optional.empty();
    }

    boolean timings() {
        return false;
    }

    /** Where to write the timings as a trace; empty for nowhere. */
    Optional<Path> trace() {
        return Optional.empty();
    }

    static final class ConsentWords extends Words {
        ConsentWords() {
            super(Arrays.stream(Consent.values()).map(Consent::word).toList());
        }
    }

    static final class ConsentWord implements ITypeConverter<Consent> {
        @Override
        public Consent convert(String word) {
            return Arrays.stream(Consent.values())
                    .filter(consent -> consent.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "'" + word + "' is not one of " + String.join(", ", new ConsentWords())));
        }
    }
}
