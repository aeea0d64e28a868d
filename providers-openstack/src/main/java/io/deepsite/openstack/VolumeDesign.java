package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.NewDisks;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The volumes of Cinder: the site's, which one machine each mounts and serves, and those that each machine of a group has. */
final class VolumeDesign {
    static final String SIZE = "size";
    static final String TYPE = "type";
    static final String ZONE = "zone";
    static final String KEPT_FOR = "kept-for";

    private static final long GIBIBYTE = 1L << 30;

    private final Snapshot snapshot;
    private final Site site;
    private final Requirements requirements;
    private final Owned owned;
    private final List<Resource> resources;
    private final List<Diagnostic> faults;

    /** @param resources gets the volumes */
    VolumeDesign(
            Snapshot snapshot,
            Site site,
            Requirements requirements,
            Owned owned,
            List<Resource> resources,
            List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.site = site;
        this.requirements = requirements;
        this.owned = owned;
        this.resources = resources;
        this.faults = faults;
    }

    void check(Name group, OpenStackMachines more) {
        var disks = new NewDisks(group, requirements.disks(group));
        more.volumes().forEach((name, volume) -> disks.bare(name.value(), volume.size()));
        faults.addAll(disks.faults());
        requirements.disks(group).stream()
                .filter(volume -> volume.size().orElseThrow().bytes() % GIBIBYTE != 0)
                .forEach(volume -> faults.add(Diagnostic.error(
                        Code.VOLUME_SIZE,
                        "The volume " + volume.name() + " has " + volume.size().orElseThrow()
                                + ", and OpenStack makes volumes of whole GiB.",
                        "Write " + Math.ceilDiv(volume.size().orElseThrow().bytes(), GIBIBYTE) + "GiB.")));
        if (snapshot.volumeTypes().isEmpty()) {
            requirements
                    .disks(group)
                    .forEach(volume -> faults.add(Diagnostic.error(
                            Code.OPENSTACK_SERVICE_MISSING,
                            "The volume " + volume.name() + " has a size of its own, and " + snapshot.cloud()
                                    + " has no volume service, which would hold it.",
                            "Remove its size: then it is a folder of the machine that serves it.")));
        }
    }

    /** The volumes of one machine, by the attribute of the server that holds each. */
    SortedMap<String, ResourceId> of(Name group, String machine, OpenStackMachines more) {
        var attached = new TreeMap<String, ResourceId>();
        more.volumes().forEach((name, volume) -> {
            var id = Kinds.volume(machine, name);
            resource(id, attributes(volume.size().bytes(), volume.type(), more.zone()));
            attached.put(ServerAttributes.volume(id.key(), machine), id);
        });
        for (var volume : requirements.disks(group)) {
            var id = new ResourceId(Kinds.VOLUME, volume.name());
            if (attached.putIfAbsent(ServerAttributes.volume(id.key(), machine), id) != null
                    || resources.stream().anyMatch(other -> other.id().equals(id))) {
                faults.add(NewDisks.nameTaken(machine, volume));
                continue;
            }
            var attributes = attributes(volume.size().orElseThrow().bytes(), Optional.empty(), more.zone());
            if (volume.keep()) {
                attributes.put(KEPT_FOR, new Attribute(site.name().value(), Mutability.IN_PLACE));
            }
            before(id).ifPresent(there -> {
                if (!owned.is(there.tags(), id)) {
                    attributes.put(Resource.TAKEN_UP, new Attribute("true", Mutability.ON_CREATE));
                }
                fits(volume, there, attributes);
            });
            resource(id, attributes);
        }
        return attached;
    }

    private static SortedMap<String, Attribute> attributes(long bytes, Optional<String> type, Optional<String> zone) {
        var attributes = new TreeMap<String, Attribute>();
        attributes.put(SIZE, new Attribute(bytes / GIBIBYTE + "GiB", Mutability.IN_PLACE));
        type.ifPresent(name -> attributes.put(TYPE, new Attribute(name, Mutability.REPLACE)));
        zone.ifPresent(name -> attributes.put(ZONE, new Attribute(name, Mutability.REPLACE)));
        return attributes;
    }

    private void resource(ResourceId id, SortedMap<String, Attribute> attributes) {
        resources.add(new Resource(id, Kinds.name(site.name(), id), attributes, List.of()));
    }

    /** The volume that this site has, or that an earlier one of its name left. */
    private Optional<Snapshot.Volume> before(ResourceId id) {
        return snapshot.volumes().stream()
                .filter(volume -> owned.is(volume.tags(), id) || Ownership.isKept(volume, id, site.name()))
                .findFirst();
    }

    /** What holds data is neither made smaller nor, if it is to be kept, made anew elsewhere. */
    private void fits(SharedVolume volume, Snapshot.Volume there, SortedMap<String, Attribute> attributes) {
        long wanted = volume.size().orElseThrow().bytes() / GIBIBYTE;
        if (there.gibibytes() > wanted) {
            faults.add(Diagnostic.error(
                    Code.VOLUME_HAS_SIZE,
                    "The volume " + there.name() + " has " + there.gibibytes() + "GiB, and the site asks for " + wanted
                            + "GiB; a volume cannot shrink.",
                    "Ask for " + there.gibibytes() + "GiB or more, or copy its contents to a new volume of another"
                            + " name."));
        }
        var zone = there.metadata().get(Ownership.KEY + "-" + ZONE);
        var asked = Optional.ofNullable(attributes.get(ZONE)).map(Attribute::value);
        boolean keeps = volume.keep() || attributes.containsKey(Resource.TAKEN_UP);
        if (keeps && !asked.equals(Optional.ofNullable(zone))) {
            faults.add(Diagnostic.error(
                    Code.KEPT_ELSEWHERE,
                    "The volume " + there.name() + " is to be kept, and is in "
                            + (zone == null ? "the cloud's usual zone" : "the zone " + zone)
                            + "; its machine is to be in "
                            + asked.map(name -> "the zone " + name).orElse("the usual one") + ".",
                    zone == null
                            ? "Leave out the zone of the machine again."
                            : "Name the zone " + zone + " again, in provider.openstack.groups."));
        }
    }
}
