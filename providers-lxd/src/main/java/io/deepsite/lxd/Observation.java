package io.deepsite.lxd;

import io.deepsite.contract.Digests;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Tags;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Turns the objects of a snapshot that carry deepsite's tags into resources. */
final class Observation {
    private final Snapshot snapshot;
    private final Tags.Scope scope;

    Observation(Snapshot snapshot, Tags.Scope scope) {
        this.snapshot = snapshot;
        this.scope = scope;
    }

    List<ObservedResource> owned() {
        var owned = new ArrayList<ObservedResource>();
        snapshot.ownProject()
                .forEach(instance -> ours(instance.config()).ifPresent(tags -> owned.add(machine(instance, tags))));
        snapshot.pools().forEach(pool -> ours(pool.config()).ifPresent(tags -> owned.add(pool(pool, tags))));
        snapshot.networks()
                .forEach(network -> ours(network.config()).ifPresent(tags -> owned.add(network(network, tags))));
        snapshot.volumes()
                .forEach((pool, volumes) -> volumes.forEach(
                        volume -> ours(volume.config()).ifPresent(tags -> owned.add(volume(pool, volume, tags)))));
        owned.sort(Comparator.comparing(
                        (ObservedResource resource) -> resource.tags().site())
                .thenComparing(ObservedResource::id));
        return owned;
    }

    private Optional<Ownership> ours(Map<String, String> config) {
        return Ownership.of(config)
                .filter(ownership -> ownership.tags().within(scope)
                        && ownership.project().equals(snapshot.project().name()));
    }

    private ObservedResource machine(Instance instance, Ownership ownership) {
        var condition = instance.isRunning() ? Condition.READY : Condition.STOPPED;
        if (!instance.config().containsKey(MachineAttributes.READY_KEY)) {
            condition = Condition.HALF_MADE;
        }
        return resource(
                ownership,
                instance.name(),
                MachineAttributes.observed(instance),
                List.of(instance.status(), stable(instance.config()), new TreeMap<>(instance.devices())),
                condition,
                List.of());
    }

    private ObservedResource pool(Pool pool, Ownership ownership) {
        return resource(
                ownership,
                pool.name(),
                PoolAttributes.observed(pool),
                List.of(pool.driver(), pool.status(), stable(pool.config())),
                pool.status().equals("Created") ? Condition.READY : Condition.HALF_MADE,
                others(pool.usedBy(), ownership));
    }

    private ObservedResource network(Network network, Ownership ownership) {
        return resource(
                ownership,
                network.name(),
                NetworkAttributes.observed(network),
                List.of(network.status(), stable(network.config())),
                network.status().equals("Created") ? Condition.READY : Condition.HALF_MADE,
                others(network.usedBy(), ownership));
    }

    private ObservedResource volume(String pool, Volume volume, Ownership ownership) {
        return resource(
                ownership,
                volume.name(),
                VolumeAttributes.observed(pool, volume),
                List.of(pool, stable(volume.config())),
                Condition.READY,
                usersOf(volume, ownership));
    }

    private List<String> usersOf(Volume volume, Ownership ownership) {
        var users = new ArrayList<>(others(volume.usedBy(), ownership));
        if (volume.config().containsKey(Ownership.KEPT_FOR)) {
            users.addFirst(ObservedResource.KEPT);
        }
        return users;
    }

    private static ObservedResource resource(
            Ownership ownership,
            String name,
            SortedMap<String, String> attributes,
            List<Object> facts,
            Condition condition,
            List<String> usedBy) {
        return new ObservedResource(
                ownership.id(), name, attributes, ownership.tags(), digest(facts), condition, usedBy);
    }

    /**
     * Users outside the site. Images that LXD caches in a pool do not count. LXD names users by path:
     * {@code /1.0/instances/head}.
     */
    private List<String> others(List<String> usedBy, Ownership of) {
        var ours = pathsOf(of);
        return usedBy.stream()
                .map(this::inOurProject)
                .filter(path -> !path.startsWith("/1.0/images/") && !ours.contains(path))
                .map(Observation::words)
                .distinct()
                .toList();
    }

    /** LXD names the project of a user only if it is not the default one. */
    private String inOurProject(String path) {
        return path.replaceFirst(
                "\\?project=" + Pattern.quote(snapshot.project().name()) + "$", "");
    }

    private Set<String> pathsOf(Ownership of) {
        var paths = new TreeSet<String>();
        snapshot.ownProject().stream()
                .filter(instance -> sameSite(instance.config(), of))
                .forEach(instance -> paths.add(instance.path()));
        snapshot.volumes()
                .forEach((pool, volumes) -> volumes.stream()
                        .filter(volume -> sameSite(volume.config(), of))
                        .forEach(volume ->
                                paths.add("/1.0/storage-pools/" + pool + "/volumes/custom/" + volume.name())));
        return paths;
    }

    private static boolean sameSite(Map<String, String> config, Ownership of) {
        return Ownership.of(config)
                .map(other -> other.tags().site().equals(of.tags().site())
                        && other.project().equals(of.project()))
                .orElse(false);
    }

    /** {@code /1.0/instances/head} becomes {@code instance head}. */
    private static String words(String path) {
        if (!path.startsWith("/1.0/")) {
            // An unknown format, but still a user.
            return path;
        }
        var parts = path.replaceFirst("\\?.*", "").substring("/1.0/".length()).split("/", -1);
        var kind = parts.length > 3 ? "volume" : parts[0].replaceFirst("s$", "");
        return kind + " " + parts[parts.length - 1];
    }

    /** Without keys that LXD itself changes, and without the lease, which is extended outside of plans. */
    private static SortedMap<String, String> stable(Map<String, String> config) {
        var stable = new TreeMap<>(config);
        stable.keySet()
                .removeIf(key -> (key.startsWith("volatile.") && !key.equals(MachineAttributes.BASE_IMAGE_KEY))
                        || key.equals(Ownership.EXPIRES_AT)
                        || key.equals(Ownership.LEASED_AT));
        return stable;
    }

    private static String digest(List<Object> facts) {
        return Digests.sha256(Json.MAPPER.writeValueAsString(facts)).substring(0, 24);
    }
}
