package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Shared volumes. All our machines map their users to the same ids of the host, so that a volume needs no
 * {@code security.shifted} to be mounted by several of them.
 */
final class VolumeDesign {
    private final Snapshot snapshot;
    private final String pool;
    private final Site site;
    private final Requirements requirements;
    private final Owned owned;
    private final List<Diagnostic> faults;

    VolumeDesign(
            Snapshot snapshot,
            String pool,
            Site site,
            Requirements requirements,
            Owned owned,
            List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.pool = pool;
        this.site = site;
        this.requirements = requirements;
        this.owned = owned;
        this.faults = faults;
    }

    List<Resource> resources(List<ResourceId> dependsOn) {
        var resources = new ArrayList<Resource>();
        sizes().forEach((name, size) -> {
            var id = new ResourceId(VolumeAttributes.KIND, name);
            var attributes = new TreeMap<>(Map.of(VolumeAttributes.POOL, new Attribute(pool, Mutability.REPLACE)));
            size.ifPresent(limit ->
                    attributes.put(VolumeAttributes.SIZE, new Attribute(limit.toString(), Mutability.IN_PLACE)));
            resources.add(new Resource(id, backEndName(name), attributes, dependsOn));
            snapshot.volume(pool, backEndName(name))
                    .filter(volume -> !owned.has(volume.config(), id))
                    .ifPresent(volume ->
                            faults.add(Faults.nameTakenDiagnostic("volume", volume.name(), snapshot.endpoint())));
        });
        return resources;
    }

    /** By name of the volume: {@code <name on the back-end>:<path>}. */
    Map<String, String> mounts(Name group) {
        var mounts = new TreeMap<String, String>();
        requirements
                .of(group)
                .volumes()
                .forEach(volume -> mounts.put(volume.name(), backEndName(volume.name()) + ":" + volume.path()));
        return mounts;
    }

    private String backEndName(String volume) {
        return site.name() + "-" + volume;
    }

    private Map<String, Optional<Size>> sizes() {
        var sizes = new TreeMap<String, Optional<Size>>();
        for (var group : site.machines().keySet()) {
            for (var volume : requirements.of(group).volumes()) {
                var other = sizes.getOrDefault(volume.name(), Optional.empty());
                if (other.isPresent() && volume.size().isPresent() && !other.equals(volume.size())) {
                    faults.add(Diagnostic.error(
                            Code.LXD_VOLUME_MISMATCH,
                            "The shared volume " + volume.name() + " is asked with " + other.get() + " and with "
                                    + volume.size().get() + ".",
                            "Give it one size."));
                }
                sizes.put(volume.name(), other.or(volume::size));
            }
        }
        return sizes;
    }
}
