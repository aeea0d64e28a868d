package io.deepsite.service.page;

import io.deepsite.service.catalogue.Amounts;
import io.deepsite.service.sites.SiteRow;
import io.deepsite.service.sites.SiteStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Rows of sites for pages. */
final class PageSites {
    private PageSites() {}

    /**
     * A site that was ordered, planned and begun at one time.
     *
     * @param elastic machines that are there while jobs need them
     */
    static SiteRow row(SiteStatus status, Instant since, Optional<Instant> endsAt, List<String> elastic) {
        return new SiteRow(
                "id",
                "hpc-1",
                "My cluster",
                "biology",
                "alice",
                "Alice",
                Optional.of("hpc"),
                Optional.empty(),
                new TreeMap<>(),
                "",
                status,
                1,
                0,
                true,
                Amounts.NONE,
                since,
                since,
                Optional.of(since),
                Optional.empty(),
                endsAt,
                true,
                Optional.empty(),
                List.of(),
                false,
                elastic);
    }
}
