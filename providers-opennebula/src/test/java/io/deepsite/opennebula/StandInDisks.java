package io.deepsite.opennebula;

import io.deepsite.opennebula.StandInCloud.No;
import io.deepsite.opennebula.StandInThing.Attribute;
import java.util.List;

/** Disks of the stand-in's machines. */
final class StandInDisks {
    private final StandInCloud cloud;
    private final StandInVms vms;

    StandInDisks(StandInCloud cloud, StandInVms vms) {
        this.cloud = cloud;
        this.vms = vms;
    }

    /** Source: OpenNebula/one at f847cf2e (7.x), src/image/ImageManagerActions.cc, ImageManager::acquire_image. */
    void acquire(int image) {
        boolean used = cloud.all("vm").values().stream().anyMatch(vm -> vms.uses(vm, "image", image));
        if (used && cloud.get("image", image).field("PERSISTENT").equals("1")) {
            throw new No(
                    StandInCloud.WRONG_STATE,
                    "Cannot acquire image " + image + ", it is persistent and already in use");
        }
    }

    int attach(StandInThing vm, List<Attribute> disks) {
        refuseWhileBusy(vm, "attach a new disk to VM " + vm.id);
        disks.forEach(disk -> {
            int image = Integer.parseInt(disk.vector().getOrDefault("IMAGE_ID", "-1"));
            cloud.get("image", image);
            acquire(image);
            vm.template.add(vms.numbered(vm, disk));
        });
        plug(vm);
        return vm.id;
    }

    int detach(StandInThing vm, int disk) {
        refuseWhileBusy(vm, "detach disk from VM " + vm.id);
        vm.template.removeIf(attribute -> attribute.name().equals("DISK")
                && attribute.vector().getOrDefault("DISK_ID", "").equals(String.valueOf(disk)));
        plug(vm);
        return vm.id;
    }

    /** Source: OpenNebula/one at f847cf2e (7.x), src/dm/DispatchManagerActions.cc, DispatchManager::attach and detach. */
    private static void refuseWhileBusy(StandInThing vm, String what) {
        var life = StandInVms.state(vm);
        if (!life.isRunning() && life.state() != Life.POWEROFF) {
            throw new No(StandInCloud.WRONG_STATE, "Could not " + what + ", wrong state " + life.words() + ".");
        }
    }

    private void plug(StandInThing vm) {
        boolean running = StandInVms.state(vm).isRunning();
        vms.become(vm, running ? List.of("3/17", "3/3") : List.of("3/24", "8/0"));
    }

    int grow(StandInThing vm, int disk, String mebibytes) {
        for (var one : StandInThing.vectors(vm.template, "DISK")) {
            if (one.getOrDefault("DISK_ID", "").equals(String.valueOf(disk))) {
                cloud.get("image", Integer.parseInt(one.getOrDefault("IMAGE_ID", "-1")))
                        .fields
                        .put("SIZE", mebibytes);
                return vm.id;
            }
        }
        throw new No(StandInCloud.WRONG_STATE, "VM disk does not exist");
    }
}
