package io.deepsite.lxd;

import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * deepsite's tags as config keys of LXD's objects.
 *
 * @param id of the resource that carries them
 * @param project the site's LXD project: projects share pools, and most share bridges
 */
record Ownership(ResourceId id, Tags tags, String project) {
    private static final String OURS = "user.deepsite.";

    static final String SITE = "user.deepsite.site";
    static final String ID = "user.deepsite.id";
    static final String LINEAGE = "user.deepsite.lineage";
    static final String EXPIRES_AT = "user.deepsite.expires-at";
    static final String LEASED_AT = "user.deepsite.leased-at";
    static final String FENCE = "user.deepsite.fence";
    static final String PROJECT = "user.deepsite.project";
    /** On a volume that outlives its site: the name of the site, which stays when the other tags go. */
    static final String KEPT_FOR = "user.deepsite.kept-for";

    Map<String, String> config() {
        var config = new LinkedHashMap<String, String>();
        config.put(SITE, tags.site().value());
        config.put(ID, id.toString());
        config.put(LINEAGE, tags.lineage());
        tags.fence().ifPresent(fence -> config.put(FENCE, fence.toString()));
        if (!project.equals(DaemonSettings.USUAL_PROJECT)) {
            config.put(PROJECT, project);
        }
        lease(tags.lease()).forEach((key, value) -> {
            if (!value.isEmpty()) {
                config.put(key, value);
            }
        });
        return config;
    }

    /** Always both keys: an empty value removes one that is there. */
    static SortedMap<String, String> lease(Optional<Tags.Lease> lease) {
        return new TreeMap<>(Map.of(
                EXPIRES_AT, lease.map(Tags.Lease::ends).map(Instant::toString).orElse(""),
                LEASED_AT,
                        lease.flatMap(Tags.Lease::since).map(Instant::toString).orElse("")));
    }

    /** Removes all of deepsite's tags from an object: LXD removes a key whose value is empty. */
    static Map<String, String> without(Map<String, String> config) {
        return config.keySet().stream()
                .filter(key -> key.startsWith(OURS))
                .collect(Collectors.toMap(key -> key, _ -> ""));
    }

    /** Removes what makes the site an owner, and leaves what {@link #isKept} asks. */
    static Map<String, String> withoutOwner(Map<String, String> config) {
        var removed = new LinkedHashMap<>(without(config));
        removed.keySet().removeAll(Set.of(ID, PROJECT, KEPT_FOR));
        return removed;
    }

    /** Whether an earlier site of this name left the resource for the next one, in this project. */
    static boolean isKept(Map<String, String> config, ResourceId id, Name site, String project) {
        return !config.containsKey(SITE)
                && site.value().equals(config.get(KEPT_FOR))
                && id.toString().equals(config.get(ID))
                && project.equals(config.getOrDefault(PROJECT, LxdSettings.USUAL_PROJECT));
    }

    /** Empty if the tags are missing, or not in deepsite's format. */
    static Optional<Ownership> of(Map<String, String> config) {
        var site = config.get(SITE);
        var id = config.get(ID);
        var lineage = config.get(LINEAGE);
        if (site == null || id == null || lineage == null) {
            return Optional.empty();
        }
        try {
            var since = instant(config, LEASED_AT);
            var lease = instant(config, EXPIRES_AT).map(end -> new Tags.Lease(end, since));
            return Optional.of(new Ownership(
                    ResourceId.parse(id),
                    new Tags(
                            Name.parse(site),
                            lineage,
                            lease,
                            Optional.ofNullable(config.get(FENCE)).map(Long::valueOf)),
                    config.getOrDefault(PROJECT, DaemonSettings.USUAL_PROJECT)));
        } catch (IllegalArgumentException | DateTimeException _) {
            return Optional.empty();
        }
    }

    private static Optional<Instant> instant(Map<String, String> config, String key) {
        return Optional.ofNullable(config.get(key))
                .filter(text -> !text.isEmpty())
                .map(Instant::parse);
    }

    /** Whether these tags name this resource of this site and state, in this project. Lease and fence may differ. */
    static boolean isOn(Map<String, String> config, ResourceId id, Tags tags, String project) {
        return of(config)
                .map(found -> found.id().equals(id)
                        && found.tags().sameState(tags)
                        && found.project().equals(project))
                .orElse(false);
    }
}
