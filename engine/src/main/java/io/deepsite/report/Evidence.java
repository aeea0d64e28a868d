package io.deepsite.report;

import io.deepsite.diag.Diagnostic;
import io.deepsite.plan.Plan;
import io.deepsite.state.AtomicFile;
import io.deepsite.state.StateFolder;
import io.deepsite.verify.CheckResult;
import io.deepsite.verify.VerifyReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the last verify and the last look for drift found, in files of their own beside the state: no operation needs them,
 * and a site of a thousand nodes has thousands of results. Holds no secret.
 */
public final class Evidence {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final StateFolder folder;

    public Evidence(StateFolder folder) {
        this.folder = folder;
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
        write(verifyFile(), new Verify(at, report.results()), notices);
    }

    /** The same of drift; not of a site that was never applied here. */
    public void keep(Drift drift, Consumer<Diagnostic> notices) {
        if (folder.exists()) {
            write(driftFile(), drift, notices);
        }
    }

    /** Empty before the first; also where the file is not readable, which is no reason not to show the rest. */
    public Optional<Verify> verify() {
        return read(verifyFile(), Verify.class);
    }

    /** Likewise. */
    public Optional<Drift> drift() {
        return read(driftFile(), Drift.class);
    }

    private Path verifyFile() {
        return folder.path().resolve("last-verify.json");
    }

    private Path driftFile() {
        return folder.path().resolve("last-drift.json");
    }

    private static void write(Path file, Object content, Consumer<Diagnostic> notices) {
        try {
            AtomicFile.swap(file, JSON.writeValueAsBytes(content));
        } catch (IOException e) {
            AtomicFile.notWritten(file, e)
                    .diagnostics()
                    .forEach(each -> notices.accept(Diagnostic.warning(
                            each.code(),
                            each.where(),
                            each.why() + " A report will not have these results.",
                            "",
                            each.commands().toArray(String[]::new))));
        }
    }

    private static <T> Optional<T> read(Path file, Class<T> type) {
        try {
            return Optional.of(JSON.readValue(Files.readAllBytes(file), type));
        } catch (NoSuchFileException | JacksonException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
