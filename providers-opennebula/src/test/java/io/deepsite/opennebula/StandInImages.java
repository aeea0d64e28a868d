package io.deepsite.opennebula;

import io.deepsite.opennebula.StandInCalls.Call;
import io.deepsite.opennebula.StandInCloud.No;
import io.deepsite.opennebula.StandInThing.Attribute;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Images of the stand-in. */
final class StandInImages {
    /** By state and its detail, what it is while a disk is saved. Source: src/vm/VirtualMachine.cc, set_saveas_state. */
    private static final Map<String, String> WHILE_SAVING =
            Map.of("3/3", "3/26", "8/0", "3/27", "5/0", "3/28", "9/0", "3/67", "4/0", "3/68");

    /** USED_PERS: one machine has it. */
    private static final String USED = "8";

    private final StandInCloud cloud;
    private List<String> fate = List.of("1");
    private boolean persistent;
    private boolean kept;

    StandInImages(StandInCloud cloud) {
        this.cloud = cloud;
    }

    /** DEFAULT_IMAGE_PERSISTENT of this user's template is YES. Source: src/image/Image.cc, Image::test_set_persistent. */
    void persistent() {
        persistent = true;
    }

    /** The states of the next image: 5 is an error. */
    void next(String... states) {
        fate = List.of(states);
    }

    Object dispatch(Call call) {
        return switch (call.method()) {
            case "one.imagepool.info" -> pool();
            case "one.image.allocate" -> allocate(call);
            case "one.image.update" -> cloud.update("image", call);
            case "one.image.persistent" -> {
                var image = cloud.get("image", call.number(0));
                image.fields.put("PERSISTENT", call.yes(1) ? "1" : "0");
                yield image.id;
            }
            case "one.image.delete" -> delete(call.number(0));
            default -> throw new IllegalStateException("not played: " + call.method());
        };
    }

    /** The driver of the datastore does not delete the next one. */
    void keepsNext() {
        kept = true;
    }

    /** Source: OpenNebula/one, release-6.10.0, src/image/ImageManagerProtocol.cc, ImageManager::_rm. */
    private int delete(int id) {
        if (!kept) {
            return cloud.delete("image", id);
        }
        kept = false;
        cloud.refuseInUse("image", id);
        var image = cloud.get("image", id);
        image.fields.put("STATE", "7");
        image.next.add("5");
        image.template.add(new Attribute(
                "ERROR",
                "Error removing image from datastore. Retry the operation or manually remove image source  and run the"
                        + " delete --force operation to completely delete the image",
                new TreeMap<>()));
        return id;
    }

    private String pool() {
        cloud.all("image").values().forEach(image -> {
            if (!image.next.isEmpty()) {
                image.fields.put("STATE", image.next.removeFirst());
            }
            boolean usable =
                    image.field("STATE").equals("1") || image.field("STATE").equals(USED);
            if (usable && image.field("PERSISTENT").equals("1")) {
                boolean used = cloud.all("vm").values().stream()
                        .anyMatch(vm -> cloud.vms().uses(vm, "image", image.id));
                image.fields.put("STATE", used ? USED : "1");
            }
            if (image.field("STATE").equals("5")
                    && StandInThing.text(image.template, "ERROR").isEmpty()) {
                image.template.add(
                        new Attribute("ERROR", "Error copying image in the datastore: 404", new TreeMap<>()));
            }
        });
        return cloud.pool("IMAGE_POOL", "IMAGE", "image");
    }

    private int allocate(Call call) {
        var attributes = StandInThing.parse(call.text(0));
        cloud.get("datastore", call.number(1));
        StandInThing.text(attributes, "FROM_APP").ifPresent(app -> cloud.get("app", Integer.parseInt(app)));
        int id = cloud.made(
                "image",
                call.text(0),
                Map.of(
                        "UID",
                        StandInCloud.USER,
                        "STATE",
                        "4",
                        "PERSISTENT",
                        StandInThing.text(attributes, "PERSISTENT").orElse("").equals("YES") ? "1" : "0",
                        "DATASTORE_ID",
                        String.valueOf(call.number(1)),
                        "SIZE",
                        StandInThing.text(attributes, "SIZE").orElse("2048")));
        var datastore = cloud.get("datastore", call.number(1)).template;
        var path = StandInThing.text(attributes, "PATH").orElse("");
        if (StandInThing.isRestricted(path, datastore)) {
            cloud.get("image", id)
                    .template
                    .add(new Attribute(
                            "ERROR",
                            "Error copying image in the datastore: Not allowed to copy image from " + path
                                    + ", check RESTRICTED_DIRS in your datastore",
                            new TreeMap<>()));
            cloud.get("image", id).next.add("5");
            return id;
        }
        cloud.get("image", id).next.addAll(fate());
        return id;
    }

    /** The states of an image that is being made. */
    private List<String> fate() {
        var states = fate;
        fate = List.of("1");
        return states;
    }

    /**
     * A disk of a machine becomes an image. Sources: OpenNebula/one, releases 6.10.0 and 7.0.2 (the same code),
     * src/rm/RequestManagerVirtualMachine.cc, VirtualMachineDiskSaveas::request_execute, and release 7.4.0,
     * src/rm/api/VirtualMachineAPI.cc.
     */
    int save(StandInThing vm, Call call) {
        var state = vm.field("STATE") + "/" + vm.field("LCM_STATE");
        var saving = WHILE_SAVING.get(state);
        if (saving == null) {
            throw new No(StandInCloud.INTERNAL, "VM has to be RUNNING, POWEROFF or SUSPENDED to save disks.");
        }
        var disk = disk(vm, String.valueOf(call.number(1)));
        var of = cloud.get("image", Integer.parseInt(disk.getOrDefault("IMAGE_ID", "-1")));
        var datastore = cloud.get("datastore", of.number("DATASTORE_ID"));
        var size = disk.getOrDefault("SIZE", of.field("SIZE"));
        if (Long.parseLong(size) > Long.parseLong(datastore.field("FREE_MB"))) {
            throw new No(StandInCloud.WRONG_STATE, "Not enough space in datastore");
        }
        int id = cloud.made(
                "image", "<TEMPLATE>" + StandInThing.xml("NAME", call.text(2)) + "</TEMPLATE>", fields(of, size));
        var image = cloud.get("image", id);
        // They stay after the image is complete.
        image.template.addAll(List.of(
                new Attribute("SAVED_IMAGE_ID", String.valueOf(of.id), new TreeMap<>()),
                new Attribute("SAVED_DISK_ID", String.valueOf(call.number(1)), new TreeMap<>()),
                new Attribute("SAVED_VM_ID", String.valueOf(vm.id), new TreeMap<>())));
        image.next.addAll(fate());
        become(vm, saving);
        vm.next.clear();
        vm.next.add(state);
        return id;
    }

    /** Source: src/vm/VirtualMachineDisk.cc, VirtualMachineDisks::set_saveas. */
    private static Map<String, String> disk(StandInThing vm, String number) {
        var disk = StandInThing.vectors(vm.template, "DISK").stream()
                .filter(one -> one.getOrDefault("DISK_ID", "").equals(number))
                .findFirst()
                .orElseThrow(() -> new No(StandInCloud.INTERNAL, "Cannot use DISK. DISK does not exist."));
        if (!disk.containsKey("IMAGE_ID")) {
            throw new No(StandInCloud.INTERNAL, "Cannot use DISK. DISK does not have a valid IMAGE_ID.");
        }
        return disk;
    }

    private Map<String, String> fields(StandInThing of, String size) {
        return Map.of(
                "UID",
                StandInCloud.USER,
                "STATE",
                "4",
                "SIZE",
                size,
                "DATASTORE_ID",
                of.field("DATASTORE_ID"),
                "PERSISTENT",
                persistent ? "1" : "0",
                "REGTIME",
                "1795612800");
    }

    private static void become(StandInThing vm, String state) {
        var numbers = state.split("/");
        vm.fields.put("STATE", numbers[0]);
        vm.fields.put("LCM_STATE", numbers[1]);
    }
}
