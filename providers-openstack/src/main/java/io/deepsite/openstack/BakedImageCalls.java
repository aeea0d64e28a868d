package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.provider.ImageStore;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Polling;
import io.deepsite.site.ImageName;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Baked images: snapshots of servers that Nova uploads to Glance, private to the project. Other images are the cloud's. */
final class BakedImageCalls implements ImageStore {
    /** Uploading a disk through a busy cloud. */
    private static final Duration LIMIT = Duration.ofMinutes(45);

    private static final Set<String> UNDER_WAY = Set.of("queued", "saving", "importing", "uploading");
    /** Longest value of a property that Nova accepts. */
    private static final int LONGEST = 255;

    private final Cloud cloud;
    private final TaggedResources things;
    private final Polling<Snapshot.Image> watch;

    BakedImageCalls(Cloud cloud, TaggedResources things, Polling<Snapshot.Image> watch) {
        this.cloud = cloud;
        this.things = things;
        this.watch = watch;
    }

    @Override
    public List<StoredImage> images() {
        return refusing(
                "Nothing was changed.",
                () -> Family.IMAGES.all(cloud).stream()
                        .filter(Snapshot.Image::isBaked)
                        .map(BakedImageCalls::stored)
                        .sorted(Comparator.comparing(image -> image.names().getFirst()))
                        .toList());
    }

    private static StoredImage stored(Snapshot.Image image) {
        return new StoredImage(
                List.of(image.name()),
                image.id(),
                image.bytes(),
                image.properties().getOrDefault(Snapshot.Image.BAKED, ""),
                time(image.properties().getOrDefault("created_at", "")));
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /** Nova copies the properties of the server's image, so those of a site's upload are blanked: they are its tags. */
    @Override
    public void publish(ObservedResource machine, String name, String description, Call call) {
        var metadata = Map.of(
                Snapshot.Image.BAKED,
                description.substring(0, Math.min(LONGEST, description.length())),
                Ownership.KEY,
                "");
        refusing("The image " + name + " was not stored.", () -> {
            var begun = named(name);
            if (begun.filter(Snapshot.Image::isBaked).isPresent()) {
                return name;
            }
            // Nobody continues the snapshot of a run that was killed.
            begun.ifPresent(image -> Family.IMAGES.delete(cloud, image.id()));
            var server = things.need(Family.SERVERS, machine.id(), machine.tags());
            call.progress("storing");
            // From 2.45 on Nova tells the image's id in the body, where openstack4j does not look.
            cloud.client().compute().servers().createSnapshot(server.id(), name, metadata);
            var image = watch.await(
                    named(name).map(Snapshot.Image::id).orElse(""),
                    seen -> seen.filter(one -> UNDER_WAY.contains(one.status())).isEmpty(),
                    LIMIT,
                    "the image " + name,
                    call);
            if (image.filter(Snapshot.Image::isBaked).isEmpty()) {
                throw failed(name, image.map(Snapshot.Image::status).orElse("deleted"));
            }
            return name;
        });
    }

    private Failure failed(String name, String status) {
        return new Failure(
                Diagnostic.error(
                        Code.PROVIDER_REFUSED,
                        "Nova at " + things.words() + " could not make the image " + name
                                + " of a server: Glance says that it is " + status + ".",
                        "Look at Nova's log of the server's host, and at the quotas of Glance; then run the same command again."));
    }

    private Optional<Snapshot.Image> named(String name) {
        return Family.IMAGES.list(cloud, Map.of("name", name)).stream()
                .filter(image -> image.name().equals(name))
                .filter(image -> image.properties().containsKey(Snapshot.Image.BAKED))
                .findFirst();
    }

    @Override
    public void delete(ImageName image, Call call) {
        refusing("The image " + image + " is still there.", () -> {
            var found = named(image.value())
                    .orElseThrow(() -> new Failure(Diagnostic.error(
                            Code.OPENSTACK_IMAGE_MISSING,
                            "There is no baked image " + image + " at " + things.words() + ".",
                            "List the images:",
                            "deepsite image list --provider openstack")));
            return Family.IMAGES.delete(cloud, found.id());
        });
    }

    private <T> T refusing(String otherwise, Supplier<T> work) {
        try {
            return work.get();
        } catch (Refusal refusal) {
            throw cloud.faults().refused(refusal, otherwise);
        }
    }
}
