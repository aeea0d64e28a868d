package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.ImageName;
import io.deepsite.site.Name;
import io.deepsite.site.OpenStackImage;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Site;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which image a machine is made from. One that exists keeps what it was made from: a name that means another image since
 * is no change. A file of the site is uploaded once, as a resource of the site.
 */
final class ImageChoice {
    static final String DIGEST = "sha512";
    static final String FORMAT = "format";
    static final String FILE = "file";
    static final String PROPERTY = "property.";

    private final Snapshot snapshot;
    private final ProviderSettings.OpenStack settings;
    private final Site site;
    private final Owned owned;
    private final List<Diagnostic> faults;
    private final TreeSet<String> missing = new TreeSet<>();
    private final Map<ImageName, Resource> uploads = new LinkedHashMap<>();

    ImageChoice(
            Snapshot snapshot, ProviderSettings.OpenStack settings, Site site, Owned owned, List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.site = site;
        this.owned = owned;
        this.faults = faults;
    }

    /**
     * @param fingerprint the image's id, or the digest of a file that is uploaded
     * @param upload what makes it, where it is uploaded
     */
    record Chosen(String fingerprint, Optional<ResourceId> upload, int minDiskGibibytes, int minMemoryMebibytes) {}

    List<Resource> uploads() {
        return List.copyOf(uploads.values());
    }

    /** Empty, with the fault reported, when there is none. */
    Optional<Chosen> choose(Name group, ImageName image, String machine) {
        var source = settings.images().get(image);
        if (source != null && source.file().isPresent()) {
            return uploaded(image, source);
        }
        var recorded = owned.server(machine)
                .filter(server -> image.value().equals(server.metadata().get(ServerAttributes.IMAGE_KEY)))
                .map(server -> server.metadata().getOrDefault(ServerAttributes.FINGERPRINT_KEY, ""));
        if (recorded.isPresent()) {
            return recorded.map(
                    id -> snapshot.image(id).map(ImageChoice::chosen).orElse(new Chosen(id, Optional.empty(), 0, 0)));
        }
        var name = source == null ? image.value() : source.use().orElse(image.value());
        var found = snapshot.image(name);
        if (found.isEmpty() && missing.add(name)) {
            faults.add(new MissingReference(snapshot.cloud())
                    .thing(
                            Code.OPENSTACK_IMAGE_MISSING,
                            "The machine group " + group,
                            "image",
                            name,
                            snapshot.images().stream()
                                    .map(Snapshot.Image::name)
                                    .filter(known -> !known.isBlank())
                                    .toList(),
                            "Name one that is there, or say in provider.openstack.images what " + image
                                    + " is: an image of the cloud (use) or a file to upload (file).",
                            "openstack image list"));
        }
        return found.map(ImageChoice::chosen);
    }

    private static Chosen chosen(Snapshot.Image image) {
        return new Chosen(image.id(), Optional.empty(), image.minDiskGibibytes(), image.minMemoryMebibytes());
    }

    private Optional<Chosen> uploaded(ImageName image, OpenStackImage source) {
        var file = snapshot.files().get(image);
        if (file == null) {
            return Optional.empty();
        }
        var id = new ResourceId(Kinds.IMAGE, image.value());
        uploads.computeIfAbsent(image, _ -> {
            var attributes = new TreeMap<String, Attribute>();
            attributes.put(DIGEST, new Attribute(file.digest(), Mutability.REPLACE));
            attributes.put(FORMAT, new Attribute(source.format(), Mutability.REPLACE));
            attributes.put(FILE, new Attribute(source.file().orElse(""), Mutability.IN_PLACE));
            source.properties()
                    .forEach((key, value) -> attributes.put(PROPERTY + key, new Attribute(value, Mutability.IN_PLACE)));
            return new Resource(id, Kinds.name(site.name(), id), attributes, List.of());
        });
        return Optional.of(new Chosen(DIGEST + ":" + file.digest().substring(0, 32), Optional.of(id), 0, 0));
    }
}
