package io.deepsite.service.sites;

import io.deepsite.service.catalogue.Amounts;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A site that somebody ordered.
 *
 * @param id random
 * @param name at the back-end, and in the site's own records
 * @param owner the id of a person
 * @param template empty if its user wrote the site.yaml
 * @param account of the owner on its machines; empty: it has none
 * @param version of this row, raised by each change that a person may see
 * @param lastEvent number of its last event
 * @param holdsQuota whether it counts for its project's quota
 * @param startsAt when it may be built
 * @param heldSince since when it counts for the quota
 * @param heldUntil until when it counted
 * @param endsAt end of its lease
 */
public record SiteRow(
        String id,
        String name,
        String title,
        String project,
        String owner,
        String ownerName,
        Optional<String> template,
        Optional<String> account,
        SortedMap<String, String> parameters,
        String yaml,
        SiteStatus status,
        long version,
        long lastEvent,
        boolean holdsQuota,
        Amounts amounts,
        Instant createdAt,
        Instant startsAt,
        Optional<Instant> heldSince,
        Optional<Instant> heldUntil,
        Optional<Instant> endsAt) {

    public SiteRow {
        parameters = new TreeMap<>(parameters);
    }
}
