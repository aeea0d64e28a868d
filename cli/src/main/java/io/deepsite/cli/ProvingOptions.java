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

    @Option(names = "--timings", order = 15, description = "Show at the end where the time went, on stderr.")
    private boolean timings;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            order = 16,
            description = "Also write the timings as a trace that Chrome (chrome://tracing) and Perfetto read.")
    private @Nullable Path trace;

    @Override
    boolean timings() {
        return timings;
    }

    @Override
    Optional<Path> trace() {
        return Optional.ofNullable(trace);
    }

    @Override
    Optional<Path> report() {
        return Optional.ofNullable(report);
    }
}
