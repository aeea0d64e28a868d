package io.deepsite.lxd;

import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes, changes and deletes pools and shared volumes: one request each, complete when LXD answers. */
final class StorageCalls {
    private final Pools pools;
    private final Faults faults;
    private final String project;

    StorageCalls(Pools pools, Faults faults, String project) {
        this.pools = pools;
        this.project = project;
        this.faults = faults;
    }

    void createPool(Resource desired, Tags tags) {
        var existing = pools.find(desired.name()).map(Rest.Etagged::value);
        if (existing.isPresent()) {
            requireOurs(PoolAttributes.KIND, desired.name(), existing.get().config(), desired.id(), tags);
            if (existing.get().status().equals("Created")) {
                return;
            }
            pools.delete(desired.name());
        }
        var config = new LinkedHashMap<>(new Ownership(desired.id(), tags, project).config());
        config.putAll(PoolAttributes.config(desired));
        pools.create(desired.name(), desired.values().getOrDefault(PoolAttributes.DRIVER, ""), config);
    }

    void deletePool(ObservedResource seen) {
        var existing = pools.find(seen.name()).map(Rest.Etagged::value);
        if (existing.isPresent()) {
            requireOurs(PoolAttributes.KIND, seen.name(), existing.get().config(), seen.id(), seen.tags());
            goneIsFine(() -> pools.delete(seen.name()));
        }
    }

    void retagPool(ObservedResource seen, Map<String, String> config) {
        pools.find(seen.name()).ifPresent(found -> {
            requireOurs(PoolAttributes.KIND, seen.name(), found.value().config(), seen.id(), seen.tags());
            pools.set(seen.name(), config);
        });
    }

    void releasePool(ObservedResource seen) {
        pools.find(seen.name()).map(Rest.Etagged::value).ifPresent(pool -> {
            requireOurs(PoolAttributes.KIND, seen.name(), pool.config(), seen.id(), seen.tags());
            pools.set(seen.name(), Ownership.without(pool.config()));
        });
    }

    void createVolume(Resource desired, Tags tags) {
        var pool = pool(desired.values());
        var existing = pools.findVolume(pool, desired.name()).map(Rest.Etagged::value);
        var config = new LinkedHashMap<>(new Ownership(desired.id(), tags, project).config());
        if (existing.isPresent()) {
            var there = existing.get().config();
            if (desired.isTakenUp() && Ownership.isKept(there, desired.id(), tags.site(), project)) {
                config.putAll(VolumeAttributes.config(desired));
                pools.setVolume(pool, desired.name(), config);
                return;
            }
            requireOurs(VolumeAttributes.KIND, desired.name(), there, desired.id(), tags);
            return;
        }
        if (desired.isTakenUp()) {
            throw new Refusal(404, "GET " + desired.name(), "the volume is gone");
        }
        config.putAll(VolumeAttributes.newConfig(desired));
        pools.createVolume(pool, desired.name(), config);
    }

    void updateVolume(ObservedResource seen, Resource desired) {
        var pool = pool(seen.attributes());
        var existing = pools.findVolume(pool, seen.name())
                .orElseThrow(() -> new Refusal(404, "GET " + seen.name(), "the volume is gone"));
        requireOurs(VolumeAttributes.KIND, seen.name(), existing.value().config(), seen.id(), seen.tags());
        pools.setVolume(pool, seen.name(), VolumeAttributes.config(desired));
    }

    void deleteVolume(ObservedResource seen) {
        var pool = pool(seen.attributes());
        var existing = pools.findVolume(pool, seen.name()).map(Rest.Etagged::value);
        if (existing.isPresent()) {
            requireOurs(VolumeAttributes.KIND, seen.name(), existing.get().config(), seen.id(), seen.tags());
            goneIsFine(() -> pools.deleteVolume(pool, seen.name()));
        }
    }

    void retagVolume(ObservedResource seen, Map<String, String> config) {
        var pool = pool(seen.attributes());
        pools.findVolume(pool, seen.name()).ifPresent(found -> {
            requireOurs(VolumeAttributes.KIND, seen.name(), found.value().config(), seen.id(), seen.tags());
            pools.setVolume(pool, seen.name(), config);
        });
    }

    void releaseVolume(ObservedResource seen) {
        var pool = pool(seen.attributes());
        pools.findVolume(pool, seen.name()).map(Rest.Etagged::value).ifPresent(volume -> {
            requireOurs(VolumeAttributes.KIND, seen.name(), volume.config(), seen.id(), seen.tags());
            boolean kept = volume.config().containsKey(Ownership.KEPT_FOR);
            pools.setVolume(
                    pool,
                    seen.name(),
                    kept ? Ownership.withoutOwner(volume.config()) : Ownership.without(volume.config()));
        });
    }

    private static String pool(Map<String, String> attributes) {
        return attributes.getOrDefault(VolumeAttributes.POOL, "");
    }

    private void requireOurs(String kind, String name, Map<String, String> config, ResourceId id, Tags tags) {
        if (!Ownership.isOn(config, id, tags, project)) {
            throw faults.nameTaken(kind, name);
        }
    }

    static void goneIsFine(Runnable delete) {
        try {
            delete.run();
        } catch (Refusal refusal) {
            if (!refusal.isNotFound()) {
                throw refusal;
            }
        }
    }
}
