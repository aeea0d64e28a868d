package io.deepsite.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.service.sites.EventRow;
import io.deepsite.service.sites.LeaseWarnings;
import io.deepsite.service.sites.SiteService;
import io.deepsite.service.sites.SiteStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ElasticMachinesOnThePageTest {
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
    private static final String FACT = "There while jobs need them";

    private static SiteModel page(SiteStatus status, List<String> elastic) {
        var site = PageSites.row(status, NOW, Optional.empty(), elastic);
        return new SitePage(
                        new SiteService.View(site, List.of(), Optional.empty(), Optional.empty()),
                        NOW,
                        new LeaseWarnings(List.of()))
                .model(
                        new Frame("My cluster", "Alice", ""),
                        Optional.empty(),
                        List.of(),
                        List.of(
                                new EventRow(
                                        1,
                                        Optional.empty(),
                                        NOW,
                                        "{\"event\":\"elastic\",\"what\":\"made\",\"machines\":[\"node-3\"],\"text\":\"node-3: made.\"}")),
                        new SitePage.Rights(true, true),
                        List.of(),
                        new LoginModel(List.of(), List.of()));
    }

    @Test
    void areNamedWhileTheyAreThere() {
        assertThat(page(SiteStatus.READY, List.of("node-3", "node-4")).facts())
                .contains(new SiteModel.Fact(FACT, "node-3, node-4"));
        assertThat(page(SiteStatus.READY, List.of()).facts())
                .extracting(SiteModel.Fact::name)
                .doesNotContain(FACT);
        assertThat(page(SiteStatus.DELETED, List.of("node-3")).facts())
                .extracting(SiteModel.Fact::name)
                .doesNotContain(FACT);
    }

    @Test
    void whatIsMadeIsTold() {
        assertThat(page(SiteStatus.READY, List.of()).events()).containsExactly("2026-11-26 12:00 UTC  node-3: made.");
    }
}
