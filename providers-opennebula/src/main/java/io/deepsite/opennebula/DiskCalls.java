package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Polling;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import java.time.Duration;
import java.util.Objects;
import java.util.TreeMap;

/** Attaches disks to virtual machines that exist, and detaches them, one after the other: OpenNebula refuses two at once. */
final class DiskCalls {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final Api api;
    private final VmTemplate templates;
    private final Polling<Snapshot.Vm> vms;
    private final Polling<Snapshot.Image> images;

    DiskCalls(Api api, VmTemplate templates, Polling<Snapshot.Vm> vms, Polling<Snapshot.Image> images) {
        this.api = api;
        this.templates = templates;
        this.vms = vms;
        this.images = images;
    }

    void bring(Snapshot.Vm vm, ObservedResource seen, Resource desired, Call call) {
        var before = new TreeMap<>(seen.attributes());
        desired.values().forEach((attribute, key) -> {
            if (attribute.startsWith(VmAttributes.VOLUME) && !Objects.equals(before.remove(attribute), key)) {
                attach(vm, id(key), seen, call);
            }
        });
        before.forEach((attribute, key) -> {
            if (attribute.startsWith(VmAttributes.VOLUME)
                    && !desired.attributes().containsKey(attribute)) {
                int image = templates.imageId(id(key), seen.tags());
                vm.disks().stream().filter(disk -> disk.imageId() == image).forEach(disk -> {
                    call.progress("detaching a disk");
                    api.vms().detachDisk(vm.id(), disk.id());
                    settled(vm, call);
                });
            }
        });
    }

    private static ResourceId id(String key) {
        return new ResourceId(Kinds.VOLUME, key);
    }

    /** Waits first for another machine of the site that still has it, if it moves. */
    private void attach(Snapshot.Vm vm, ResourceId volume, ObservedResource seen, Call call) {
        int image = templates.imageId(volume, seen.tags());
        call.progress("attaching a disk");
        images.await(
                String.valueOf(image),
                found -> found.map(one -> one.state() == Snapshot.Image.READY || one.state() == Snapshot.Image.ERROR)
                        .orElse(true),
                LIMIT,
                "the volume " + volume.key(),
                call);
        api.vms().attachDisk(vm.id(), new Template().vector("DISK", templates.volume(volume.key(), seen.tags())));
        settled(vm, call);
    }

    private void settled(Snapshot.Vm vm, Call call) {
        vms.await(
                String.valueOf(vm.id()),
                found -> found.map(Snapshot.Vm::life)
                        .map(life -> life.isRunning() || life.rests() || life.hasFailed())
                        .orElse(true),
                LIMIT,
                "the disks of the VM " + vm.name(),
                call);
    }
}
