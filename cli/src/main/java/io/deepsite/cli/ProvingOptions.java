package io.deepsite.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Of a command after which the site proves itself. */
final class ProvingOptions extends RunOptions {
    @Option(
            names = "--report",
            paramLabel = "FILE",
            order = 14,
            description = "Also write what verify found as JUnit XML.")
    private @Nullable Path report;

    @Override
    Optional<Path> report() {
        return Optional.ofNullable(report);
    }
}
