package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Polling;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.openstack4j.api.Builders;

/** Data volumes. */
final class VolumeCalls {
    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final Set<String> UNDER_WAY =
            Set.of("creating", "downloading", "extending", "detaching", "deleting");

    private final Cloud cloud;
    private final TaggedResources things;
    private final Polling<Snapshot.Volume> watch;

    VolumeCalls(Cloud cloud, TaggedResources things, Polling<Snapshot.Volume> watch) {
        this.cloud = cloud;
        this.things = things;
        this.watch = watch;
    }

    /** A volume that Cinder failed to create never held data: it is created again. */
    void create(Resource desired, Tags tags, Call call) {
        var found = things.find(Family.VOLUMES, desired.id(), desired.name(), tags);
        if (found.isPresent()) {
            var volume = settled(found.get(), call);
            if (!volume.status().equals("error")) {
                bring(volume, desired, call);
                return;
            }
            remove(volume, call);
        }
        if (desired.isTakenUp()) {
            takeUp(desired, tags, call);
            return;
        }
        var values = desired.values();
        var metadata = new TreeMap<String, String>();
        metadata.put(Ownership.KEY, new Ownership(desired.id(), tags).text());
        Optional.ofNullable(values.get(VolumeDesign.KEPT_FOR))
                .ifPresent(_ -> metadata.put(Ownership.KEPT_FOR, Ownership.keptFor(tags.site(), desired.id())));
        var body =
                Builders.volume().name(desired.name()).size(gibibytes(desired)).metadata(metadata);
        Optional.ofNullable(values.get(VolumeDesign.TYPE)).ifPresent(type -> {
            body.volumeType(type);
            metadata.put(Ownership.KEY + "-type", type);
        });
        Optional.ofNullable(values.get(VolumeDesign.ZONE)).ifPresent(zone -> {
            body.zone(zone);
            metadata.put(Ownership.KEY + "-zone", zone);
        });
        call.progress("creating");
        var id = cloud.client().blockStorage().volumes().create(body.build()).getId();
        settled(id, desired.name(), call)
                .map(Snapshot.Volume::status)
                .filter(status -> status.startsWith("error"))
                .ifPresent(status -> {
                    throw new Failure(Diagnostic.error(
                            Code.PROVIDER_REFUSED,
                            "Cinder at " + things.words() + " could not create the volume " + desired.name()
                                    + "; its status is " + status + ".",
                            "Ask for a smaller volume or another type, or the cloud's administrator for the reason."
                                    + " The next apply creates it again."));
                });
    }

    /** Never makes an empty volume silently in place of a full one. */
    private void takeUp(Resource desired, Tags tags, Call call) {
        var kept = Family.VOLUMES.named(cloud, desired.name()).stream()
                .filter(volume -> Ownership.isKept(volume, desired.id(), tags.site()))
                .findFirst()
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.PROVIDER_REFUSED,
                        "The volume " + desired.name() + " at " + things.words()
                                + ", which an earlier site of this name left, is gone. Nothing was changed.",
                        "Plan again: the new plan creates an empty one.")));
        mark(kept.id(), Map.of(Ownership.KEY, new Ownership(desired.id(), tags).text()));
        bring(kept, desired, call);
    }

    /** Whether it is kept, and its size, as desired. */
    private void bring(Snapshot.Volume volume, Resource desired, Call call) {
        var site = desired.values().get(VolumeDesign.KEPT_FOR);
        if (site != null && !volume.metadata().containsKey(Ownership.KEPT_FOR)) {
            mark(volume.id(), Map.of(Ownership.KEPT_FOR, Ownership.keptFor(new Name(site), desired.id())));
        } else if (site == null) {
            unmark(volume, Ownership.KEPT_FOR);
        }
        grow(volume, desired, call);
    }

    private void mark(String id, Map<String, String> metadata) {
        cloud.rest(Service.VOLUME).post("/volumes/" + id + "/metadata", Map.of("metadata", metadata));
    }

    private void unmark(Snapshot.Volume volume, String key) {
        if (volume.metadata().containsKey(key)) {
            Refusal.found(() -> cloud.rest(Service.VOLUME).delete("/volumes/" + volume.id() + "/metadata/" + key));
        }
    }

    private static int gibibytes(Resource desired) {
        return Integer.parseInt(desired.values().getOrDefault("size", "1GiB").replace("GiB", ""));
    }

    private Snapshot.Volume settled(Snapshot.Volume volume, Call call) {
        return UNDER_WAY.contains(volume.status())
                ? settled(volume.id(), volume.name(), call).orElse(volume)
                : volume;
    }

    /** Waits until Cinder has finished its work on it; empty if it no longer exists. */
    private Optional<Snapshot.Volume> settled(String id, String name, Call call) {
        return watch.await(
                id,
                seen -> seen.map(Snapshot.Volume::status)
                        .map(status -> !UNDER_WAY.contains(status))
                        .orElse(true),
                LIMIT,
                "the volume " + name,
                call);
    }

    void update(ObservedResource seen, Resource desired, Call call) {
        bring(things.need(Family.VOLUMES, seen.id(), seen.tags()), desired, call);
    }

    private void grow(Snapshot.Volume volume, Resource desired, Call call) {
        int wanted = gibibytes(desired);
        if (wanted < volume.gibibytes()) {
            throw new Failure(Diagnostic.error(
                    Code.PROVIDER_REFUSED,
                    "The volume " + volume.name() + " has " + volume.gibibytes() + "GiB, and the site asks for "
                            + wanted + "GiB; a volume cannot shrink. Nothing was changed.",
                    "Keep its size, or move its contents to a new volume of another name."));
        }
        if (wanted > volume.gibibytes()) {
            cloud.client().blockStorage().volumes().extend(volume.id(), wanted);
            watch.await(
                    volume.id(),
                    now -> now.map(one ->
                                    one.gibibytes() >= wanted || one.status().startsWith("error"))
                            .orElse(true),
                    LIMIT,
                    "growing the volume " + volume.name(),
                    call);
        }
    }

    /** The mark for the next site of the name stays. */
    void release(ObservedResource seen) {
        things.find(Family.VOLUMES, seen).ifPresent(volume -> unmark(volume, Ownership.KEY));
    }

    void delete(ObservedResource seen, Call call) {
        things.find(Family.VOLUMES, seen).ifPresent(volume -> remove(settled(volume, call), call));
    }

    private void remove(Snapshot.Volume volume, Call call) {
        call.progress("deleting");
        things.deleteById(Family.VOLUMES, volume.id(), volume.name(), call);
        var last = watch.await(
                volume.id(),
                seen -> seen.map(one -> one.status().startsWith("error")).orElse(true),
                LIMIT,
                "deleting the volume " + volume.name(),
                call);
        if (last.isPresent() && !volume.status().equals("error")) {
            throw new Failure(Diagnostic.error(
                    Code.OPENSTACK_IN_USE,
                    "Cinder at " + things.words() + " could not delete the volume " + volume.name() + "; its status is "
                            + last.get().status() + ".",
                    "Ask the cloud's administrator for the reason, then run the same command again."));
        }
    }

    void retag(ObservedResource seen, Ownership ownership) {
        things.find(Family.VOLUMES, seen)
                .ifPresent(volume -> mark(volume.id(), Map.of(Ownership.KEY, ownership.text())));
    }
}
