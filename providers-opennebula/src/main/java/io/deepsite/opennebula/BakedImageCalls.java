package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.opennebula.oca.OneException;
import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.Call;
import io.deepsite.provider.ImageStore;
import io.deepsite.provider.ObservedResource;
import io.deepsite.site.ImageName;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Baked images: saved disks of machines that carry a mark, of this user. Other images are the cloud's. */
final class BakedImageCalls implements ImageStore {
    /** The mark, a vector: an attribute without a value would be ignored. */
    static final String ATTRIBUTE = "DEEPSITE_BAKED";

    private static final long MEBIBYTE = 1024L * 1024;

    private final Api api;
    private final TaggedResources things;
    private final ImageCalls images;
    private final VmCalls vms;
    private final Faults faults;

    BakedImageCalls(Api api, TaggedResources things, ImageCalls images, VmCalls vms, Faults faults) {
        this.api = api;
        this.things = things;
        this.images = images;
        this.vms = vms;
        this.faults = faults;
    }

    @Override
    public List<StoredImage> images() {
        return refusing(
                Faults.NOTHING_CHANGED,
                () -> mine().stream()
                        .filter(image -> image.origin().baked().isPresent())
                        .map(BakedImageCalls::stored)
                        .sorted(Comparator.comparing(image -> image.names().getFirst()))
                        .toList());
    }

    private static StoredImage stored(Snapshot.Image image) {
        return new StoredImage(
                List.of(image.name()),
                String.valueOf(image.id()),
                image.mebibytes() * MEBIBYTE,
                image.origin().baked().orElse(""),
                Optional.of(image.origin().registered()));
    }

    /** The mark comes last: an image without it is not used, and a run that was killed before leaves it to the next one. */
    @Override
    public void publish(ObservedResource machine, String name, String description, Call call) {
        refusing("The image " + name + " was not stored.", () -> {
            var there = named(name);
            if (there.filter(image -> image.origin().baked().isPresent() && image.isMade())
                    .isPresent()) {
                return name;
            }
            there.ifPresent(begun -> {
                if (!begun.origin().saved()) {
                    throw new Failure(taken(begun));
                }
                images.delete(begun.id(), name, call);
            });
            int id = vms.saveDisk(machine, name, call);
            // Of a user for whom new images are persistent; then one machine alone could start from it.
            if (images.await(id, name, call).origin().persistent()) {
                api.images().share(id);
            }
            api.images().merge(id, new Template().vector(ATTRIBUTE, Map.of("NAME", name, "OF", description)));
            return name;
        });
    }

    private Diagnostic taken(Snapshot.Image image) {
        return Diagnostic.error(
                Code.NAME_TAKEN,
                things.front() + " has an image named " + image.name()
                        + " that is not the saved disk of a machine. It was not" + " touched.",
                "Give it another name, or delete it if it is not needed:",
                "oneimage rename " + image.id() + " NAME");
    }

    /** OpenNebula deletes no image while machines use it. */
    @Override
    public void delete(ImageName image, Call call) {
        refusing("The image " + image + " is still there.", () -> {
            var found = named(image.value())
                    .filter(one -> one.origin().baked().isPresent())
                    .orElseThrow(() -> new Failure(Diagnostic.error(
                            Code.OPENNEBULA_IMAGE_MISSING,
                            "There is no baked image " + image + " at " + things.front() + ".",
                            "List the images:",
                            "deepsite image list --provider opennebula")));
            images.delete(found.id(), image.value(), call);
            return image;
        });
    }

    private Optional<Snapshot.Image> named(String name) {
        return mine().stream().filter(image -> image.name().equals(name)).findFirst();
    }

    private List<Snapshot.Image> mine() {
        int user = api.user();
        return api.allImages().stream()
                .filter(image -> image.origin().user() == user)
                .toList();
    }

    private <T> T refusing(String otherwise, Supplier<T> work) {
        try {
            return work.get();
        } catch (OneException e) {
            throw faults.of(e, otherwise);
        }
    }
}
