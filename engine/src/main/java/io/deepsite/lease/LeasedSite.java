package io.deepsite.lease;

import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * A site as described by the tags on a back-end.
 *
 * @param ends the latest end of any of its resources: extending writes them one by one, and a partly extended site must
 *     not count as expired
 */
public record LeasedSite(Name site, String lineage, Optional<Instant> ends, List<ObservedResource> resources) {
    public LeasedSite {
        resources = List.copyOf(resources);
    }

    public boolean expired(Instant now) {
        return ends.isPresent() && !ends.get().isAfter(now);
    }

    /** All sites of a provider, by name, then by lineage. */
    public static List<LeasedSite> all(Provider provider) {
        return all(provider, new Tags.Scope.AllSites());
    }

    static List<LeasedSite> all(Provider provider, Tags.Scope scope) {
        var bySite = new LinkedHashMap<Key, List<ObservedResource>>();
        provider.survey(scope)
                .owned()
                .forEach(resource -> bySite.computeIfAbsent(
                                new Key(resource.tags().site(), resource.tags().lineage()), _ -> new ArrayList<>())
                        .add(resource));
        return bySite.entrySet().stream()
                .map(entry -> new LeasedSite(
                        entry.getKey().site(), entry.getKey().lineage(), latest(entry.getValue()), entry.getValue()))
                .sorted(Comparator.comparing(LeasedSite::site).thenComparing(LeasedSite::lineage))
                .toList();
    }

    private record Key(Name site, String lineage) {}

    private static Optional<Instant> latest(List<ObservedResource> resources) {
        var ends =
                resources.stream().map(resource -> resource.tags().expiresAt()).toList();
        return ends.contains(Optional.<Instant>empty())
                ? Optional.empty()
                : ends.stream().flatMap(Optional::stream).max(Comparator.naturalOrder());
    }
}
