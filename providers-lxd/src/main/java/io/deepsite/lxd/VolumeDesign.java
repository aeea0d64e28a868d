package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shared volumes. All machines map their users to the same ids of the host, so several can mount a volume without
 * {@code security.shifted}.
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
        volumes().forEach((name, wanted) -> {
            var id = new ResourceId(VolumeAttributes.KIND, name);
            var attributes = new TreeMap<>(Map.of(VolumeAttributes.POOL, new Attribute(pool, Mutability.REPLACE)));
            wanted.size()
                    .ifPresent(limit -> attributes.put(
                            VolumeAttributes.SIZE, new Attribute(limit.toString(), Mutability.IN_PLACE)));
            if (wanted.keep()) {
                attributes.put(
                        VolumeAttributes.KEPT_FOR, new Attribute(site.name().value(), Mutability.IN_PLACE));
                keptElsewhere(id);
            }
            snapshot.volume(pool, backEndName(name))
                    .filter(volume -> !owned.has(volume.config(), id))
                    .ifPresent(volume -> {
                        if (owned.isKept(volume.config(), id)) {
                            attributes.put(Resource.TAKEN_UP, new Attribute("true", Mutability.ON_CREATE));
                        } else {
                            faults.add(Faults.nameTakenDiagnostic("volume", volume.name(), snapshot.at()));
                        }
                    });
            resources.add(new Resource(id, backEndName(name), attributes, dependsOn));
        });
        return resources;
    }

    /** A volume cannot move, and what is to be kept is not made anew elsewhere. */
    private void keptElsewhere(ResourceId id) {
        snapshot.volumes()
                .forEach((other, volumes) -> volumes.stream()
                        .filter(volume -> !other.equals(pool))
                        .filter(volume -> owned.has(volume.config(), id) || owned.isKept(volume.config(), id))
                        .findFirst()
                        .ifPresent(volume -> faults.add(Diagnostic.error(
                                Code.KEPT_ELSEWHERE,
                                "The volume " + volume.name() + " is to be kept, and lies in the pool " + other
                                        + "; the site asks for the pool " + pool + ".",
                                "Name the pool " + other
                                        + " again, or move the volume while no machine of the site exists:",
                                "lxc storage volume move " + other + "/" + volume.name() + " " + pool + "/"
                                        + volume.name()))));
    }

    /** Volumes by name: {@code <name on the back-end>:<path>}. */
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

    private Map<String, SharedVolume> volumes() {
        var wanted = new TreeMap<String, SharedVolume>();
        for (var group : site.machines().keySet()) {
            for (var volume : requirements.of(group).volumes()) {
                var other = wanted.getOrDefault(volume.name(), volume);
                if (other.size().isPresent()
                        && volume.size().isPresent()
                        && !other.size().equals(volume.size())) {
                    faults.add(Diagnostic.error(
                            Code.LXD_VOLUME_MISMATCH,
                            "The shared volume " + volume.name() + " has two sizes: "
                                    + other.size().get() + " and "
                                    + volume.size().get() + ".",
                            "Use one size in both groups."));
                }
                wanted.put(
                        volume.name(),
                        new SharedVolume(
                                volume.name(),
                                volume.path(),
                                other.size().or(volume::size),
                                other.keep() || volume.keep()));
            }
        }
        return wanted;
    }
}
