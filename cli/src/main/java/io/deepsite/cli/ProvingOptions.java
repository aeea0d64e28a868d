package io.deepsite.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a command that verifies the site at its end. */
final class ProvingOptions extends RunOptions {
    @Option(
            names = "--report",
            paramLabel = "FILE",
            order = 14,
            description = "Also write the results of verify as JUnit XML.")
    private @Nullable Path report;

    @Override
    Optional<Path> report() {
        return Optional.ofNullable(report);
    }
}
