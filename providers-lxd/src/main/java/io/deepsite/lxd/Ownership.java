package io.deepsite.lxd;

import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
    static final String PROJECT = "user.deepsite.project";

    Map<String, String> config() {
        var config = new LinkedHashMap<String, String>();
        config.put(SITE, tags.site().value());
        config.put(ID, id.toString());
        config.put(LINEAGE, tags.lineage());
        if (!project.equals(LxdSettings.USUAL_PROJECT)) {
            config.put(PROJECT, project);
        }
        tags.expiresAt().ifPresent(end -> config.put(EXPIRES_AT, end.toString()));
        return config;
    }

    /** Removes all of deepsite's tags from an object: LXD removes a key whose value is empty. */
    static Map<String, String> without(Map<String, String> config) {
        return config.keySet().stream()
                .filter(key -> key.startsWith(OURS))
                .collect(Collectors.toMap(key -> key, _ -> ""));
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
            var end = Optional.ofNullable(config.get(EXPIRES_AT))
                    .filter(text -> !text.isEmpty())
                    .map(Instant::parse);
            return Optional.of(new Ownership(
                    ResourceId.parse(id),
                    new Tags(Name.parse(site), lineage, end),
                    config.getOrDefault(PROJECT, LxdSettings.USUAL_PROJECT)));
        } catch (IllegalArgumentException | DateTimeException _) {
            return Optional.empty();
        }
    }

    /** Whether these tags name this resource of this site and state, in this project. The end of the lease may differ. */
    static boolean isOn(Map<String, String> config, ResourceId id, Tags tags, String project) {
        return of(config)
                .map(found -> found.id().equals(id)
                        && found.tags().sameState(tags)
                        && found.project().equals(project))
                .orElse(false);
    }
}
