package io.deepsite.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.operations.StatusReport;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedApply;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusViewTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void siteWithoutApplyWasNeverVerified() {
        assertThat(text(Optional.empty())).contains("Last verify  never\n");
    }

    /** A change invalidates the last verify, but it did run. */
    @Test
    void changedSiteHasNoVerifySinceTheChange() {
        assertThat(text(Optional.of(new RecordedApply("2026-01-02T03-00-00Z", Outcome.FAILED, NOW))))
                .contains("Last verify  none since the last change\n");
    }

    private static String text(Optional<RecordedApply> apply) {
        return new StatusView(Style.PLAIN, NOW)
                .text(new StatusReport(
                        "lab",
                        "lxd",
                        List.of(),
                        List.of(),
                        List.of(),
                        apply,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of()));
    }
}
