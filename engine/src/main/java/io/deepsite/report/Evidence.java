package io.deepsite.report;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Plan;
import io.deepsite.state.LastResults;
import io.deepsite.verify.CheckResult;
import io.deepsite.verify.VerifyReport;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the last verify and the last look for drift found, beside the state: no operation needs them, and a site of a
 * thousand nodes has thousands of results. Holds no secret.
 */
public final class Evidence {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final String VERIFY = "verify";
    private static final String DRIFT = "drift";

    private final LastResults kept;

    public Evidence(LastResults kept) {
        this.kept = kept;
    }

    /** @param at when it ended; the same as in the state */
    public record Verify(Instant at, List<CheckResult> results) {
        public Verify {
            results = List.copyOf(results);
        }
    }

    /**
     * @param at when it ended
     * @param silent why hosts did not answer: nothing is known of what changed there
     */
    public record Drift(Instant at, List<Plan.Drift> found, List<String> silent) {
        public Drift {
            found = List.copyOf(found);
            silent = List.copyOf(silent);
        }
    }

    /** @param notices told when it cannot be written: nothing else depends on it */
    public void keep(VerifyReport report, Instant at, Consumer<Diagnostic> notices) {
        write(VERIFY, new Verify(at, report.results()), notices);
    }

    /** The same of drift; not of a site that was never applied here. */
    public void keep(Drift drift, Consumer<Diagnostic> notices) {
        write(DRIFT, drift, notices);
    }

    /** Empty before the first; also where it cannot be read, which is no reason not to show the rest. */
    public Optional<Verify> verify() {
        return read(VERIFY, Verify.class);
    }

    /** Likewise. */
    public Optional<Drift> drift() {
        return read(DRIFT, Drift.class);
    }

    /** For a site whose records move. */
    public void copyTo(LastResults other) {
        for (var name : List.of(VERIFY, DRIFT)) {
            kept.read(name).ifPresent(text -> other.keep(name, text));
        }
    }

    private void write(String name, Object content, Consumer<Diagnostic> notices) {
        try {
            kept.keep(name, JSON.writeValueAsString(content));
        } catch (Failure e) {
            e.diagnostics()
                    .forEach(each -> notices.accept(Diagnostic.warning(
                            each.code(),
                            each.where(),
                            each.why() + " A report will not have these results.",
                            "",
                            each.commands().toArray(String[]::new))));
        }
    }

    private <T> Optional<T> read(String name, Class<T> type) {
        try {
            return kept.read(name).map(text -> JSON.readValue(text, type));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
