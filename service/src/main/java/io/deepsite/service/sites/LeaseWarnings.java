package io.deepsite.service.sites;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How long before the end of a lease its owner is warned. */
public final class LeaseWarnings {
    /** Of a lease: earlier warnings would come while the site is new. */
    private static final int SHARE = 2;
    /** Of a lease that is too short for all of them. */
    private static final int SHORT_SHARE = 4;

    private final List<Duration> before;

    public LeaseWarnings(Collection<Duration> before) {
        this.before = before.stream().sorted(Comparator.reverseOrder()).toList();
    }

    /**
     * The last warning whose time has come. Those that are longer than half of the lease do not count; where none does, a
     * quarter of the lease before its end is one.
     *
     * @param begin of the lease
     * @return how long before the end; empty: none is due yet, or the lease is over
     */
    public Optional<Duration> due(Instant begin, Instant end, Instant now) {
        if (!now.isBefore(end)) {
            return Optional.empty();
        }
        var lease = Duration.between(begin, end);
        var fitting = before.stream()
                .filter(one -> one.compareTo(lease.dividedBy(SHARE)) <= 0)
                .toList();
        return (fitting.isEmpty() ? List.of(lease.dividedBy(SHORT_SHARE)) : fitting)
                .stream().filter(one -> !now.isBefore(end.minus(one))).min(Comparator.naturalOrder());
    }

    /** Of a site that is there. */
    public Optional<Duration> due(SiteRow site, Instant now) {
        boolean there = site.status() == SiteStatus.READY || site.status() == SiteStatus.FAILED;
        return there
                ? site.endsAt().flatMap(end -> due(site.heldSince().orElse(site.createdAt()), end, now))
                : Optional.empty();
    }
}
