package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.opennebula.oca.OneVersion;
import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Polling;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Images that a site adds, and data disks. */
final class ImageCalls {
    /** Allows for a large image from a slow server. */
    private static final Duration LIMIT = Duration.ofMinutes(45);

    private final Api api;
    private final TaggedResources things;
    private final Polling<Snapshot.Image> polling;

    ImageCalls(Api api, TaggedResources things, Polling<Snapshot.Image> polling) {
        this.api = api;
        this.things = things;
        this.polling = polling;
    }

    void create(Resource desired, Tags tags, Call call) {
        if (desired.isTakenUp()) {
            takeUp(desired, tags);
            return;
        }
        var found = things.making().image(desired.id(), desired.name(), tags);
        if (found.isPresent() && found.get().state() == Snapshot.Image.ERROR) {
            delete(found.get().id(), desired.name(), call);
            found = Optional.empty();
        }
        int id = found.map(Snapshot.Image::id).orElseGet(() -> allocate(desired, tags));
        if (found.isPresent() && found.get().isUsable()) {
            return;
        }
        call.progress("copying");
        await(id, desired.name(), call);
    }

    /** Never makes an empty volume silently in place of a full one. */
    private void takeUp(Resource desired, Tags tags) {
        if (things.image(desired.id(), desired.name(), tags).isPresent()) {
            return;
        }
        int user = api.user();
        var kept = api.allImages().stream()
                .filter(image -> VolumeDesign.isKept(image, desired.name(), tags.site(), user))
                .findFirst()
                .orElseThrow(() -> refused(
                        "The volume " + desired.name() + " at " + things.front()
                                + ", which an earlier site of this name left, is gone. Nothing was changed.",
                        "Plan again: the new plan makes an empty one."));
        var template = new Template();
        Noted.into(template, desired, ImageChoice.noted());
        new Ownership(desired.id(), tags).into(template);
        api.images().merge(kept.id(), template);
    }

    /** Waits until an image is complete. */
    Snapshot.Image await(int id, String name, Call call) {
        var made = polling.await(
                        String.valueOf(id),
                        seen -> seen.map(image -> image.isUsable() || image.state() == Snapshot.Image.ERROR)
                                .orElse(true),
                        LIMIT,
                        "the image " + name,
                        call)
                .orElseThrow(() -> new Failure(things.vanished("image", name)));
        if (made.state() == Snapshot.Image.ERROR) {
            throw new Failure(ImageChoice.failed(things.front(), made));
        }
        return made;
    }

    private int allocate(Resource desired, Tags tags) {
        var values = desired.values();
        var template = new Template().put("NAME", desired.name());
        var size = values.get(ImageChoice.SIZE);
        if (size != null) {
            template.put("TYPE", "DATABLOCK")
                    .put("PERSISTENT", "YES")
                    .put("SIZE", size.replace("MiB", ""))
                    .put("DEV_PREFIX", "vd");
            format(template, "raw");
        } else {
            template.put("TYPE", "OS");
            source(template, values.getOrDefault(ImageChoice.SOURCE, ""));
            Optional.ofNullable(values.get(ImageChoice.FORMAT)).ifPresent(format -> format(template, format));
        }
        Noted.into(template, desired, ImageChoice.noted());
        new Ownership(desired.id(), tags).into(template);
        return api.images().allocate(template, datastore(values.get(ImageChoice.DATASTORE)));
    }

    private static void source(Template template, String source) {
        if (source.startsWith(ImageChoice.APP)) {
            template.put("FROM_APP", source.substring(source.lastIndexOf(' ') + 1));
        } else {
            template.put("PATH", source.substring(source.indexOf(' ') + 1));
        }
    }

    /** FORMAT replaced DRIVER in 6.0. */
    private void format(Template template, String format) {
        boolean old = api.version().compareTo(new OneVersion(6, 0, "6.0")) < 0;
        template.put(old ? "DRIVER" : "FORMAT", format);
    }

    private int datastore(@Nullable String name) {
        var known = api.images().datastores().stream()
                .map(Read::datastore)
                .filter(Snapshot.Datastore::holdsImages)
                .toList();
        var found = name == null ? Snapshot.usual(known) : Snapshot.find(known, name);
        return found.map(Snapshot.Datastore::id)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.OPENNEBULA_DATASTORE_MISSING,
                        "The image datastore" + (name == null ? "" : " " + name) + " of " + things.front()
                                + " is gone. Nothing was changed.",
                        "Plan again.")));
    }

    void update(ObservedResource seen, Resource desired) {
        int id = things.needed(things.image(seen), seen.id(), seen.name());
        long size = mebibytes(desired.values());
        if (size < mebibytes(seen.attributes())) {
            throw refused(
                    "The data disk " + seen.name() + " has " + mebibytes(seen.attributes())
                            + "MiB, and site.yaml asks for " + size + "MiB; a disk cannot shrink. Nothing was changed.",
                    "Keep its size, or move its contents to a new disk of another name.");
        }
        if (size > mebibytes(seen.attributes())) {
            grow(id, seen.name(), size);
        }
        var template = new Template();
        Noted.into(template, desired, ImageChoice.noted());
        api.images().merge(id, template);
    }

    /** Through its VM: OpenNebula has no call for a detached image. */
    private void grow(int id, String name, long size) {
        var vm = api.allVms().stream()
                .filter(one -> one.disks().stream().anyMatch(disk -> disk.imageId() == id))
                .findFirst()
                .orElseThrow(() -> refused(
                        "The data disk " + name
                                + " cannot grow: OpenNebula grows only disks that are attached to a VM. Nothing was"
                                + " changed.",
                        "Plan again once its machine is there."));
        vm.disks().stream()
                .filter(disk -> disk.imageId() == id)
                .forEach(disk -> api.vms().growDisk(vm.id(), disk.id(), size));
    }

    /** What it is noted to be kept for stays. */
    void release(ObservedResource seen) {
        things.image(seen)
                .ifPresent(image -> api.images().merge(image.id(), new Template().remove(Ownership.ATTRIBUTE)));
    }

    private static long mebibytes(Map<String, String> values) {
        return Long.parseLong(values.getOrDefault(ImageChoice.SIZE, "0MiB").replace("MiB", ""));
    }

    private static Failure refused(String why, String fix) {
        return new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, why, fix));
    }

    void delete(ObservedResource seen, Call call) {
        things.image(seen).ifPresent(image -> delete(image.id(), seen.name(), call));
    }

    void delete(int id, String name, Call call) {
        things.delete(() -> api.images().delete(id), "image " + name, call);
        var left = polling.await(
                String.valueOf(id),
                seen -> seen.map(image -> image.state() == Snapshot.Image.ERROR).orElse(true),
                LIMIT,
                "deleting the image " + name,
                call);
        if (left.isPresent()) {
            throw new Failure(Diagnostic.error(
                    Code.OPENNEBULA_IMAGE_FAILED,
                    "The image " + name + " of " + things.front() + " was not deleted, because: "
                            + Faults.sentence(left.get().error()),
                    "Look at the log of OpenNebula, fix what it names, then run the same command again:",
                    "oneimage show " + id));
        }
    }

    void retag(ObservedResource seen, Ownership ownership) {
        things.image(seen).ifPresent(image -> {
            var template = new Template();
            ownership.into(template);
            api.images().merge(image.id(), template);
        });
    }
}
