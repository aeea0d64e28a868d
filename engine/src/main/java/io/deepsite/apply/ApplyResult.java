package io.deepsite.apply;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import java.time.Duration;
import java.util.List;

/**
 * The result of a run.
 *
 * @param done steps that succeeded
 * @param diagnostics why others did not
 */
public record ApplyResult(
        ExitCode exit, long done, long failed, long blocked, List<Diagnostic> diagnostics, Duration took) {
    public ApplyResult {
        diagnostics = List.copyOf(diagnostics);
    }
}
