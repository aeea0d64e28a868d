package io.deepsite.opennebula;

import io.deepsite.contract.Digests;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.ImageName;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Chooses the image of a machine. An existing machine keeps its image, even if the name refers to another image since.
 * Images that the site adds are fetched once, as resources of the site.
 */
final class ImageChoice {
    static final String SOURCE = "source";
    static final String FORMAT = "format";
    static final String DATASTORE = "datastore";
    static final String SIZE = "size";
    /** Of a volume that outlives its site: the name of the site. It stays when the tags go. */
    static final String KEPT_FOR = "kept-for";

    static final String PATH = "path ";
    static final String URL = "url ";
    static final String APP = "app ";
    private static final List<String> NOTED = List.of(SOURCE, FORMAT, DATASTORE, SIZE, KEPT_FOR);
    private static final int DISABLED = 3;

    private final Snapshot snapshot;
    private final OpenNebulaSettings settings;
    private final Site site;
    private final Owned owned;
    private final List<Diagnostic> faults;
    private final TreeSet<String> reported = new TreeSet<>();
    private final Map<ImageName, Resource> made = new LinkedHashMap<>();

    ImageChoice(Snapshot snapshot, OpenNebulaSettings settings, Site site, Owned owned, List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.site = site;
        this.owned = owned;
        this.faults = faults;
    }

    /**
     * @param fingerprint the image's id, or a digest of its source
     * @param resource the resource that makes it, if the site does
     */
    record Chosen(String fingerprint, Optional<ResourceId> resource) {}

    List<Resource> made() {
        return List.copyOf(made.values());
    }

    /** Empty if there is none; then a fault is reported. */
    Optional<Chosen> choose(Name group, ImageName image, String machine) {
        var source = settings.images().get(image);
        if (source != null && source.use().isEmpty()) {
            return made(image, source);
        }
        var recorded = owned.vm(machine)
                .map(vm -> Noted.seen(vm.asked(), VmAttributes.NOTED))
                .filter(asked -> image.value().equals(asked.get(VmAttributes.IMAGE)))
                .map(asked -> asked.getOrDefault(VmAttributes.FINGERPRINT, ""));
        if (recorded.isPresent()) {
            return recorded.map(id -> new Chosen(id, Optional.empty()));
        }
        var name = source == null ? image.value() : source.use().orElse(image.value());
        var found = Snapshot.find(snapshot.images(), name);
        if (found.isEmpty() && reported.add(name)) {
            faults.add(new MissingReference(snapshot.front())
                    .thing(
                            Code.OPENNEBULA_IMAGE_MISSING,
                            "The machine group " + group,
                            "image",
                            name,
                            snapshot.images(),
                            "Name an existing one, or define " + image
                                    + " in provider.opennebula.images: an image (use), a file (path), an address (url) or an app (app).",
                            "oneimage list"));
        }
        found.filter(one -> one.state() == Snapshot.Image.ERROR || one.state() == DISABLED)
                .filter(_ -> reported.add(name))
                .ifPresent(one -> faults.add(failed(snapshot.front(), one)));
        return found.map(one -> new Chosen(String.valueOf(one.id()), Optional.empty()));
    }

    static Diagnostic failed(String front, Snapshot.Image image) {
        boolean disabled = image.state() == DISABLED;
        return Diagnostic.error(
                Code.OPENNEBULA_IMAGE_FAILED,
                "The image " + image.name() + " of " + front + " is "
                        + (disabled ? "disabled" : "in ERROR")
                        + (image.error().isEmpty() ? "" : ", because: " + Faults.sentence(image.error()))
                        + (image.error().isEmpty() ? "." : ""),
                disabled
                        ? "Enable it, or name another:"
                        : "Fix what it names and make the image again, or name another:",
                disabled ? "oneimage enable " + image.id() : "oneimage show " + image.id());
    }

    /**
     * The datastore of a data disk: a machine's disks must be where one host reaches them all. So a new one goes to the
     * datastore of the machine's image; one that exists stays.
     */
    Optional<String> datastore(ResourceId volume, Optional<Chosen> root) {
        if (settings.datastore().isPresent()) {
            return settings.datastore();
        }
        var existing = existing(volume);
        return existing.isPresent()
                ? existing.map(image -> observed(image).get(DATASTORE))
                : root.flatMap(this::image)
                        .filter(image ->
                                snapshot.datastores().stream().anyMatch(store -> store.id() == image.datastoreId()))
                        .map(image -> String.valueOf(image.datastoreId()));
    }

    /** The datastore that site.yaml names. */
    Optional<String> asked() {
        return settings.datastore();
    }

    private Optional<Snapshot.Image> image(Chosen chosen) {
        return chosen.resource().isPresent()
                ? chosen.resource().flatMap(this::existing)
                : snapshot.images().stream()
                        .filter(image -> String.valueOf(image.id()).equals(chosen.fingerprint()))
                        .findFirst();
    }

    private Optional<Snapshot.Image> existing(ResourceId id) {
        return snapshot.images().stream()
                .filter(image -> image.ownership()
                        .filter(ours -> ours.isOf(id, site.name()))
                        .isPresent())
                .findFirst();
    }

    private Optional<Chosen> made(ImageName image, OpenNebulaImage source) {
        var words = source(image, source);
        if (words.isEmpty()) {
            return Optional.empty();
        }
        var id = new ResourceId(Kinds.IMAGE, image.value());
        made.computeIfAbsent(image, _ -> {
            var attributes = new TreeMap<String, Attribute>();
            attributes.put(SOURCE, new Attribute(words.get(), Mutability.REPLACE));
            if (source.app().isEmpty()) {
                attributes.put(FORMAT, new Attribute(source.format(), Mutability.REPLACE));
            }
            settings.datastore().ifPresent(name -> attributes.put(DATASTORE, new Attribute(name, Mutability.REPLACE)));
            return new Resource(id, Kinds.name(site.name(), id), attributes, List.of());
        });
        return Optional.of(new Chosen(Digests.sha256(words.get()).substring(0, 16), Optional.of(id)));
    }

    /** OpenNebula accepts such an image, and puts it into ERROR only when the datastore's driver refuses the file. */
    void refuseUnread(Snapshot.Datastore datastore) {
        made.forEach((image, resource) -> {
            var source = resource.values().getOrDefault(SOURCE, "");
            if (source.startsWith(PATH) && !isCopied(resource)) {
                var path = source.substring(PATH.length());
                if (!datastore.reads(path)) {
                    faults.add(unread(image, path, datastore));
                }
            }
        });
    }

    private boolean isCopied(Resource wanted) {
        return snapshot.images().stream()
                .filter(Snapshot.Image::isMade)
                .filter(image -> image.ownership()
                        .filter(ours -> ours.isOf(wanted.id(), site.name()))
                        .isPresent())
                .anyMatch(image -> Optional.ofNullable(observed(image).get(SOURCE))
                        .equals(Optional.ofNullable(wanted.values().get(SOURCE))));
    }

    private Diagnostic unread(ImageName image, String path, Snapshot.Datastore datastore) {
        return Diagnostic.error(
                Code.OPENNEBULA_FILE_RESTRICTED,
                "The image " + image + " cannot be copied from " + path + ": the datastore " + datastore.name()
                        + " of "
                        + snapshot.front()
                        + (datastore.safe().isEmpty()
                                ? " reads no files there"
                                : " only reads files below " + String.join(", ", datastore.safe()) + " (its SAFE_DIRS)")
                        + (datastore.restricted().isEmpty()
                                ? "."
                                : "; its RESTRICTED_DIRS: " + String.join(", ", datastore.restricted()) + "."),
                "Move the file on the front-end to a folder that the datastore may read and set"
                        + " provider.opennebula.images." + image
                        + ".path to it, or have an administrator add its folder to SAFE_DIRS:",
                "onedatastore update " + datastore.id());
    }

    private Optional<String> source(ImageName image, OpenNebulaImage source) {
        if (source.path().isPresent()) {
            return source.path().map(path -> PATH + path);
        }
        if (source.url().isPresent()) {
            return source.url().map(url -> URL + url);
        }
        var name = source.app().orElse("");
        var app = Snapshot.find(snapshot.apps(), name);
        if (app.isEmpty() && reported.add(name)) {
            faults.add(new MissingReference(snapshot.front())
                    .thing(
                            Code.OPENNEBULA_IMAGE_MISSING,
                            "provider.opennebula.images." + image + ".app",
                            "marketplace app",
                            name,
                            snapshot.apps(),
                            "Name an app of an enabled marketplace.",
                            "onemarketapp list"));
        }
        return app.map(found -> APP + found.name() + " " + found.id());
    }

    static SortedMap<String, String> observed(Snapshot.Image image) {
        return Noted.seen(image.asked(), NOTED);
    }

    /** The noted attributes of an image that deepsite makes. */
    static List<String> noted() {
        return NOTED;
    }
}
