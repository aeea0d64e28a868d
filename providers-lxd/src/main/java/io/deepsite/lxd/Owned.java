package io.deepsite.lxd;

import io.deepsite.provider.ResourceId;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects of a snapshot that belong to one site. */
final class Owned {
    private final Snapshot snapshot;
    private final Name site;

    Owned(Snapshot snapshot, Name site) {
        this.snapshot = snapshot;
        this.site = site;
    }

    Optional<Instance> machine(String machine) {
        return machines().stream()
                .filter(instance -> has(instance.config(), new ResourceId(ResourceId.MACHINE, machine)))
                .findFirst();
    }

    List<Instance> machines() {
        return snapshot.ownProject().stream()
                .filter(instance -> Ownership.of(instance.config())
                        .map(ownership -> ownership.tags().site().equals(site)
                                && ownership.project().equals(snapshot.project().name()))
                        .orElse(false))
                .toList();
    }

    /** Whether an earlier site of this name left the resource for this one. */
    boolean isKept(Map<String, String> config, ResourceId id) {
        return Ownership.isKept(config, id, site, snapshot.project().name());
    }

    /** Whether these tags name this resource of this site. */
    boolean has(Map<String, String> config, ResourceId id) {
        return Ownership.of(config)
                .map(ownership -> ownership.id().equals(id)
                        && ownership.tags().site().equals(site)
                        && ownership.project().equals(snapshot.project().name()))
                .orElse(false);
    }
}
