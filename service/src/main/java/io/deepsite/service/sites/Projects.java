package io.deepsite.service.sites;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.catalogue.Amounts;
import io.deepsite.service.sites.Quota.Share;
import io.deepsite.site.Name;
import io.deepsite.site.load.SiteLoader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** What projects use of their quotas. */
final class Projects {
    private static final double SECONDS_AN_HOUR = 3600;

    private final Map<Name, Quota> quotas;
    private final InstantSource clock;

    Projects(Map<Name, Quota> quotas, InstantSource clock) {
        this.quotas = Map.copyOf(quotas);
        this.clock = clock;
    }

    /** Of a site that was ordered; of one that counts already, what it takes more. */
    List<Share> shares(Handle handle, SiteRow site, SiteLoader loader) {
        if (site.holdsQuota()) {
            return shares(handle, site, site.needed().beyond(site.amounts()));
        }
        var lease = loader.load("site.yaml", site.yaml(), site.parameters())
                .site()
                .map(SiteService::lease)
                .orElse(Duration.ZERO);
        return shares(handle, Name.parse(site.project()), site.amounts(), lease);
    }

    /** Of a site that counts already and is to have more, until it ends. */
    List<Share> shares(Handle handle, SiteRow site, Amounts more) {
        var left = site.endsAt()
                .map(end -> Duration.between(clock.instant(), end))
                .filter(time -> !time.isNegative())
                .orElse(Duration.ZERO);
        return shares(handle, Name.parse(site.project()), more, left);
    }

    /** Whether all of a site would fit if no other one were there. */
    boolean canEverFit(SiteRow site) {
        return quotas
                .getOrDefault(Name.parse(site.project()), Quota.NONE)
                .shares(Amounts.NONE, 0, site.needed(), 0)
                .stream()
                .allMatch(Share::fits);
    }

    /** @param lease of what is asked; none counts no GPU hours before they are used */
    List<Share> shares(Handle handle, Name project, Amounts asked, Duration lease) {
        var begin = YearMonth.from(clock.instant().atOffset(ZoneOffset.UTC))
                .atDay(1)
                .atStartOfDay()
                .toInstant(ZoneOffset.UTC);
        var held = SiteTable.holdingSince(handle, project.value(), begin);
        var used = Amounts.sum(
                held.stream().filter(SiteRow::holdsQuota).map(SiteRow::amounts).toList());
        double hours = held.stream().mapToDouble(site -> gpuHours(site, begin)).sum()
                + SiteTable.heldBefore(handle, project.value(), begin).stream()
                        .mapToDouble(before -> before.gpus() * hours(before.since(), before.until(), begin))
                        .sum();
        return quotas.getOrDefault(project, Quota.NONE)
                .shares(used, hours, asked, asked.gpus() * lease.toSeconds() / SECONDS_AN_HOUR);
    }

    /** Of this month; a site that has a lease counts until its end. */
    private double gpuHours(SiteRow site, Instant begin) {
        return site.amounts().gpus()
                * hours(
                        site.heldSince().orElse(begin),
                        site.heldUntil().or(site::endsAt).orElse(clock.instant()),
                        begin);
    }

    private static double hours(Instant since, Instant until, Instant begin) {
        var from = since.isBefore(begin) ? begin : since;
        return until.isBefore(from) ? 0 : Duration.between(from, until).toSeconds() / SECONDS_AN_HOUR;
    }

    /** @return the fault of an order that does not fit */
    static Failure refused(List<Share> shares) {
        var words = shares.stream()
                .filter(share -> !share.fits())
                .map(share -> share.name() + ": " + share.used() + " of "
                        + share.limit().map(String::valueOf).orElse("") + unit(share) + " are used, and this asks for "
                        + share.asked() + ".")
                .collect(Collectors.joining(" "));
        boolean ever = shares.stream().allMatch(Share::canEverFit);
        return new Failure(Diagnostic.error(
                Code.QUOTA,
                words,
                ever
                        ? "Ask for less, delete a site, or let it wait for others to end."
                        : "Ask for less: it would not fit into an empty project either."));
    }

    private static String unit(Share share) {
        return Optional.of(share.unit())
                .filter(unit -> !unit.isEmpty())
                .map(unit -> " " + unit)
                .orElse("");
    }
}
