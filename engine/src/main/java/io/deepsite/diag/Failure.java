package io.deepsite.diag;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Ends an operation with diagnostics for the user; at least one of them is an error. Not for bugs. */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<Diagnostic> diagnostics;

    public Failure(List<Diagnostic> diagnostics) {
        this(diagnostics, null);
    }

    public Failure(Diagnostic diagnostic) {
        this(List.of(diagnostic), null);
    }

    public Failure(Diagnostic diagnostic, @Nullable Throwable cause) {
        this(List.of(diagnostic), cause);
    }

    private Failure(List<Diagnostic> diagnostics, @Nullable Throwable cause) {
        super(
                diagnostics.stream()
                        .map(d -> d.code().id() + " " + d.code().summary() + ": " + d.why())
                        .collect(Collectors.joining("; ")),
                cause);
        if (diagnostics.stream().noneMatch(Diagnostic::isError)) {
            throw new IllegalArgumentException("a failure needs an error");
        }
        this.diagnostics = List.copyOf(diagnostics);
    }

    public List<Diagnostic> diagnostics() {
        return diagnostics;
    }

    /** Whether the user cancelled the operation: there is nothing to fix. */
    public boolean isCancelled() {
        return diagnostics.getFirst().code() == Code.CANCELLED;
    }

    /** The exit code of the first error. */
    public ExitCode exit() {
        return diagnostics.stream()
                .filter(Diagnostic::isError)
                .map(d -> d.code().exit())
                .findFirst()
                .orElse(ExitCode.INTERNAL);
    }
}
