package io.deepsite.opennebula;

import io.deepsite.contract.Digests;
import io.deepsite.provider.Boot;
import io.deepsite.provider.CloudConfig;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The attributes of a machine, and their form on a virtual machine of OpenNebula. */
final class VmAttributes {
    static final String IMAGE = "image";
    /** The image's id, or a digest of its source. */
    static final String FINGERPRINT = "fingerprint";

    static final String CPUS = "cpus";
    static final String MEMORY = "memory";
    static final String DISK = "disk";
    static final String TEMPLATE = "template";
    static final String PLACEMENT = "placement";
    static final String CHIPSET = "chipset";
    static final String FIRMWARE = "firmware";
    static final String SECURE_BOOT = "secure-boot";
    /** One entry for each card, {@code vendor=10de device=20b5 class=0302} or {@code address=17:00.0}. */
    static final String GPUS = "gpus";

    static final String LOGIN = "login";
    static final String NETWORK = "network";
    static final String ADDRESS = "address";
    static final String SECURITY_GROUPS = "security-groups";
    /** {@code volume.<name>} is the key of the volume. */
    static final String VOLUME = "volume.";

    /** Digests of the keys that a machine was made with: login key and host key. */
    static final String KEYS = "DEEPSITE_KEYS";

    static final List<String> NOTED = List.of(
            IMAGE,
            FINGERPRINT,
            DISK,
            TEMPLATE,
            PLACEMENT,
            CHIPSET,
            FIRMWARE,
            SECURE_BOOT,
            GPUS,
            LOGIN,
            NETWORK,
            SECURITY_GROUPS);

    private VmAttributes() {}

    static Attribute attribute(String key, String value) {
        return new Attribute(value, change(key));
    }

    private static Mutability change(String key) {
        return switch (key) {
            case IMAGE, PLACEMENT -> Mutability.IN_PLACE;
            case CPUS, MEMORY -> Mutability.RESTART;
            default -> key.startsWith(VOLUME) ? Mutability.IN_PLACE : Mutability.REPLACE;
        };
    }

    /** @param volumes key of each of the site's volumes, by its id */
    static SortedMap<String, String> observed(Snapshot.Vm vm, Map<Integer, String> volumes) {
        var seen = new TreeMap<>(Noted.seen(vm.asked(), NOTED));
        seen.put(CPUS, String.valueOf(Math.max(1, vm.cpus())));
        seen.put(MEMORY, vm.mebibytes() + "MiB");
        vm.nics().stream()
                .map(Snapshot.Nic::address)
                .filter(address -> !address.isEmpty())
                .findFirst()
                .ifPresent(address -> seen.put(ADDRESS, address));
        var machine = vm.ownership().map(ours -> ours.id().key()).orElse("");
        vm.disks().forEach(disk -> {
            var key = volumes.get(disk.imageId());
            if (key != null) {
                seen.put(volume(key, machine), key);
            }
        });
        return seen;
    }

    /** The attribute for a volume. The key of a machine's own is {@code <machine>-<name>}, that of the site's its name. */
    static String volume(String key, String machine) {
        var prefix = machine + "-";
        return VOLUME + (key.startsWith(prefix) ? key.substring(prefix.length()) : key);
    }

    /**
     * Digests that show whether a machine was made with these keys. They reveal no key. A machine that made its own host key
     * no longer needs the given one.
     */
    static SortedMap<String, String> digests(Boot boot) {
        var digests = new TreeMap<String, String>();
        for (var file : boot.files()) {
            switch (file.path()) {
                case Boot.LOGIN_KEYS -> digests.put("LOGIN", Digests.sha256(file.content()));
                case CloudConfig.HOST_KEY -> digests.put("HOST", Digests.sha256(file.content()));
                default -> {}
            }
        }
        return digests;
    }
}
