package io.deepsite.lxd;

import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes and deletes bridges: one request each, done when LXD answers. */
final class NetworkCalls {
    private final Networks networks;
    private final Faults faults;

    NetworkCalls(Networks networks, Faults faults) {
        this.networks = networks;
        this.faults = faults;
    }

    void create(Resource desired, Tags tags) {
        var existing = networks.find(desired.name()).map(Rest.Etagged::value);
        if (existing.isPresent()) {
            requireOurs(desired.name(), existing.get().config(), desired.id(), tags);
            if (existing.get().status().equals("Created")) {
                return;
            }
            networks.delete(desired.name());
        }
        var config = new LinkedHashMap<>(new Ownership(desired.id(), tags).config());
        config.putAll(NetworkAttributes.config(desired));
        networks.create(desired.name(), config);
    }

    void delete(ObservedResource seen) {
        var existing = networks.find(seen.name()).map(Rest.Etagged::value);
        if (existing.isPresent()) {
            requireOurs(seen.name(), existing.get().config(), seen.id(), seen.tags());
            StorageCalls.goneIsFine(() -> networks.delete(seen.name()));
        }
    }

    void retag(ObservedResource seen, Map<String, String> config) {
        networks.find(seen.name()).ifPresent(found -> {
            requireOurs(seen.name(), found.value().config(), seen.id(), seen.tags());
            networks.set(seen.name(), config);
        });
    }

    private void requireOurs(String name, Map<String, String> config, ResourceId id, Tags tags) {
        if (!Ownership.isOn(config, id, tags)) {
            throw faults.nameTaken(NetworkAttributes.KIND, name);
        }
    }
}
