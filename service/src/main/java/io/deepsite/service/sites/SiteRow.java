package io.deepsite.service.sites;

import io.deepsite.service.catalogue.Amounts;
import java.time.Instant;
import java.util.List;
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
 * @param built whether it has been ready once
 * @param resize what it is to become; empty: no resize is going on
 * @param consents of the plan that was confirmed, as {@code --allow} takes them
 * @param usersChanged whether its site.yaml has other users than its machines
 * @param elastic machines that are there while jobs need them
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
        Optional<Instant> endsAt,
        boolean built,
        Optional<Resize> resize,
        List<String> consents,
        boolean usersChanged,
        List<String> elastic) {

    public SiteRow {
        parameters = new TreeMap<>(parameters);
        consents = List.copyOf(consents);
        elastic = List.copyOf(elastic);
    }

    /** Values with which it is planned and built: those of a resize, if there is one. */
    public SortedMap<String, String> target() {
        return resize.map(Resize::parameters).orElse(parameters);
    }

    /** What it counts for while it is built: what it has, and what it is to have. */
    Amounts needed() {
        return resize.map(asked -> amounts.most(asked.amounts())).orElse(amounts);
    }

    /** Whether people can work with its machines. */
    public boolean isUsable() {
        return built && status != SiteStatus.DELETING && status != SiteStatus.DELETED;
    }
}
