package io.deepsite.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.service.sites.LeaseWarnings;
import io.deepsite.service.sites.SiteService;
import io.deepsite.service.sites.SiteStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaseBannerTest {
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

    private static Optional<String> banner(SiteStatus status, Duration left) {
        var site = PageSites.row(status, NOW.minus(Duration.ofHours(10)), Optional.of(NOW.plus(left)), List.of());
        return new SitePage(
                        new SiteService.View(site, List.of(), Optional.empty(), Optional.empty()),
                        NOW,
                        new LeaseWarnings(List.of(Duration.ofHours(1))))
                .model(
                        new Frame("My cluster", "Alice", ""),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        new SitePage.Rights(true, true),
                        List.of(),
                        new LoginModel(List.of(), List.of()))
                .warning();
    }

    @Test
    void saysWhenItEndsAndWhatToDo() {
        assertThat(banner(SiteStatus.READY, Duration.ofMinutes(30)))
                .contains("It ends in 30 min, at 2026-11-26 12:30 UTC, with everything on it. Save what you need, or"
                        + " extend its lease.");
        assertThat(banner(SiteStatus.FAILED, Duration.ofMinutes(30)).orElseThrow())
                .endsWith("Save what you need.");
    }

    @Test
    void notBeforeItsTimeAndNotOfASiteThatIsNotThere() {
        assertThat(banner(SiteStatus.READY, Duration.ofHours(2))).isEmpty();
        assertThat(banner(SiteStatus.DELETING, Duration.ofMinutes(30))).isEmpty();
    }
}
