package io.deepsite.opennebula;

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
import io.deepsite.site.Size;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Persistent images: the site's volumes, which one machine each mounts and serves, and the data disks of each machine. */
final class VolumeDesign {
    private final Snapshot snapshot;
    private final Site site;
    private final Requirements requirements;
    private final ImageChoice images;
    private final List<Resource> resources;
    private final List<Diagnostic> faults;

    /** @param resources gets the volumes */
    VolumeDesign(
            Snapshot snapshot,
            Site site,
            Requirements requirements,
            ImageChoice images,
            List<Resource> resources,
            List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.site = site;
        this.requirements = requirements;
        this.images = images;
        this.resources = resources;
        this.faults = faults;
    }

    /** Whether an image is what an earlier site of this name left for the next one. */
    static boolean isKept(Snapshot.Image image, String name, Name site, int user) {
        return image.name().equals(name)
                && image.ownership().isEmpty()
                && image.origin().user() == user
                && site.value()
                        .equals(Noted.seen(image.asked(), List.of(ImageChoice.KEPT_FOR))
                                .get(ImageChoice.KEPT_FOR));
    }

    void check(Name group, OpenNebulaMachines more) {
        var disks = new NewDisks(group, requirements.disks(group));
        more.volumes().forEach((name, volume) -> disks.bare(name.value(), volume.size()));
        faults.addAll(disks.faults());
    }

    /**
     * The disks of one machine, by the attribute that holds each.
     *
     * @param root the machine's image
     */
    SortedMap<String, ResourceId> of(
            Name group, String machine, OpenNebulaMachines more, Optional<ImageChoice.Chosen> root) {
        var attached = new TreeMap<String, ResourceId>();
        more.volumes().forEach((name, volume) -> {
            var id = Kinds.volume(machine, name);
            resource(id, attributes(volume.size(), images.datastore(id, root)));
            attached.put(VmAttributes.volume(id.key(), machine), id);
        });
        for (var volume : requirements.disks(group)) {
            var id = new ResourceId(Kinds.VOLUME, volume.name());
            if (attached.putIfAbsent(VmAttributes.volume(id.key(), machine), id) != null
                    || resources.stream().anyMatch(other -> other.id().equals(id))) {
                faults.add(NewDisks.nameTaken(machine, volume));
            } else {
                resource(id, ofSite(id, volume, root));
            }
        }
        return attached;
    }

    private SortedMap<String, Attribute> ofSite(ResourceId id, SharedVolume volume, Optional<ImageChoice.Chosen> root) {
        var kept = kept(id);
        var store = kept.map(image -> ImageChoice.observed(image).get(ImageChoice.DATASTORE))
                .or(() -> images.datastore(id, root));
        var attributes = attributes(volume.size().orElseThrow(), store);
        if (volume.keep()) {
            attributes.put(ImageChoice.KEPT_FOR, new Attribute(site.name().value(), Mutability.IN_PLACE));
        }
        kept.ifPresent(image -> {
            attributes.put(Resource.TAKEN_UP, new Attribute("true", Mutability.ON_CREATE));
            fits(image, attributes, store);
        });
        owned(id).ifPresent(image -> shrinks(image, volume, attributes));
        return attributes;
    }

    private static SortedMap<String, Attribute> attributes(Size size, Optional<String> datastore) {
        var attributes = new TreeMap<String, Attribute>();
        attributes.put(ImageChoice.SIZE, new Attribute(Math.max(1, size.mebibytes()) + "MiB", Mutability.IN_PLACE));
        datastore.ifPresent(store -> attributes.put(ImageChoice.DATASTORE, new Attribute(store, Mutability.REPLACE)));
        return attributes;
    }

    private void resource(ResourceId id, SortedMap<String, Attribute> attributes) {
        resources.add(new Resource(id, Kinds.name(site.name(), id), attributes, List.of()));
    }

    private Optional<Snapshot.Image> kept(ResourceId id) {
        var name = Kinds.name(site.name(), id);
        return snapshot.images().stream()
                .filter(image -> isKept(image, name, site.name(), snapshot.user()))
                .findFirst();
    }

    private Optional<Snapshot.Image> owned(ResourceId id) {
        return snapshot.images().stream()
                .filter(image -> image.ownership()
                        .filter(ours -> ours.isOf(id, site.name()))
                        .isPresent())
                .findFirst();
    }

    /** OpenNebula grows only disks that are attached, and what is to be kept is not made anew elsewhere. */
    private void fits(Snapshot.Image image, SortedMap<String, Attribute> attributes, Optional<String> store) {
        var has = ImageChoice.observed(image).getOrDefault(ImageChoice.SIZE, "");
        var wanted = value(attributes, ImageChoice.SIZE);
        if (!has.equals(wanted)) {
            faults.add(Diagnostic.error(
                    Code.VOLUME_HAS_SIZE,
                    "The volume " + image.name() + ", which an earlier site left, has " + has
                            + ", and the site asks for " + wanted + "; OpenNebula grows only disks of a machine.",
                    "Ask for " + has + " now; a later apply can make it larger."));
        }
        elsewhere(image, store);
    }

    private void shrinks(Snapshot.Image image, SharedVolume volume, SortedMap<String, Attribute> attributes) {
        var has = ImageChoice.observed(image).getOrDefault(ImageChoice.SIZE, "");
        var wanted = value(attributes, ImageChoice.SIZE);
        if (mebibytes(has) > mebibytes(wanted)) {
            faults.add(Diagnostic.error(
                    Code.VOLUME_HAS_SIZE,
                    "The volume " + image.name() + " has " + has + ", and the site asks for " + wanted
                            + "; a disk cannot shrink.",
                    "Ask for " + has + " or more, or copy its contents to a new volume of another name."));
        }
        if (volume.keep()) {
            elsewhere(image, images.asked());
        }
    }

    private void elsewhere(Snapshot.Image image, Optional<String> store) {
        var there = Optional.ofNullable(ImageChoice.observed(image).get(ImageChoice.DATASTORE));
        var asked = images.asked().or(() -> store);
        if (there.isPresent() && asked.isPresent() && !asked.equals(there)) {
            faults.add(Diagnostic.error(
                    Code.KEPT_ELSEWHERE,
                    "The volume " + image.name() + " is to be kept, and lies in the datastore " + there.get()
                            + "; the site asks for the datastore " + asked.get() + ".",
                    "Name the datastore " + there.get() + " again, in provider.opennebula."));
        }
    }

    private static String value(SortedMap<String, Attribute> attributes, String key) {
        return Optional.ofNullable(attributes.get(key)).map(Attribute::value).orElse("");
    }

    private static long mebibytes(String text) {
        return text.isEmpty() ? 0 : Long.parseLong(text.replace("MiB", ""));
    }
}
