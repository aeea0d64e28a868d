package io.deepsite.operations;

import io.deepsite.apply.ApplyResult;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.state.RecordedVerify;
import io.deepsite.verify.VerifyReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How an apply ended, the proof included.
 *
 * @param steps empty when there was nothing to do
 * @param verify empty when the site did not have to prove itself
 * @param lastVerify the proof that still counts, where it did not have to
 * @param folder what was kept of the run; empty when nothing ran
 * @param lease who enforces the lease, in words; empty without one
 * @param cancelled the user asked to stop; what was in flight may have ended all the same
 */
public record RunResult(
        Optional<ApplyResult> steps,
        Optional<VerifyReport> verify,
        Optional<RecordedVerify> lastVerify,
        Optional<Path> folder,
        Optional<String> lease,
        boolean cancelled) {

    public ExitCode exit() {
        if (cancelled) {
            return ExitCode.CANCELLED;
        }
        var ofSteps = steps.map(ApplyResult::exit).orElse(ExitCode.DONE);
        return ofSteps == ExitCode.DONE && verify.isPresent() && !verify.get().green() ? ExitCode.FAILED : ofSteps;
    }

    public List<Diagnostic> diagnostics() {
        var all = new ArrayList<>(steps.map(ApplyResult::diagnostics).orElse(List.of()));
        verify.flatMap(VerifyReport::fault).ifPresent(all::add);
        return all;
    }
}
