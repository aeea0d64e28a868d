package io.deepsite.lxd;

import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.site.Size;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Converts between the attributes of a machine and the config and devices of an LXD instance. */
final class MachineAttributes {
    static final String IMAGE = "image";
    static final String FINGERPRINT = "fingerprint";
    static final String POOL = "pool";
    static final String NETWORK = "network";
    static final String ADDRESS = "address";
    static final String DISK = "disk";
    /** {@code volume.<name>} is {@code <volume on the back-end>:<path>}. */
    static final String VOLUME = "volume.";
    /** Names, separated by commas. */
    static final String PROFILES = "profiles";
    /** Absent for a container. */
    static final String TYPE = "type";

    static final String VIRTUAL_MACHINE = "virtual-machine";
    /** The target as requested: LXD may move the instance later, and a cluster group is not a location. */
    static final String TARGET = "target";
    /** {@code gpu<n>} is a full PCI address. */
    static final String GPU = "gpu";

    static final String IMAGE_KEY = "user.deepsite.image";
    static final String HOSTNAME_KEY = "user.deepsite.hostname";
    static final String READY_KEY = "user.deepsite.ready";
    static final String BASE_IMAGE_KEY = "volatile.base_image";
    /** Of a machine that was made from a baked image: the image which that one is made of. */
    static final String BAKED_OF_KEY = "user.deepsite.baked-of";

    private static final String ROOT_DEVICE = "root";
    private static final String NIC_DEVICE = "eth0";
    private static final String VOLUME_DEVICE = "vol-";

    /** Attributes that are one config key each. */
    private static final Map<String, String> CONFIG_KEYS = Map.of(
            IMAGE,
            IMAGE_KEY,
            "cpus",
            "limits.cpu",
            "memory",
            "limits.memory",
            "nesting",
            "security.nesting",
            "modules",
            "linux.kernel_modules",
            "autostart",
            "boot.autostart",
            TARGET,
            "user.deepsite.target",
            "nvidia-runtime",
            "nvidia.runtime",
            "nvidia-capabilities",
            "nvidia.driver.capabilities");

    private MachineAttributes() {}

    static Attribute attribute(String key, String value) {
        return new Attribute(value, change(key));
    }

    private static Mutability change(String key) {
        return switch (key) {
            case FINGERPRINT, POOL, NETWORK, TYPE, TARGET -> Mutability.REPLACE;
            case ADDRESS, "nesting", "modules", PROFILES, "nvidia-runtime", "nvidia-capabilities" -> Mutability.RESTART;
            default ->
                key.startsWith(VOLUME) || key.startsWith(GPU) || ExtraDevices.isAttribute(key)
                        ? Mutability.RESTART
                        : Mutability.IN_PLACE;
        };
    }

    static SortedMap<String, String> observed(Instance instance) {
        var seen = new TreeMap<String, String>();
        CONFIG_KEYS.forEach(
                (attribute, key) -> put(seen, attribute, instance.config().get(key)));
        seen.computeIfPresent("memory", (_, text) -> size(text));
        seen.remove("nesting", "false");
        put(seen, FINGERPRINT, fingerprint(instance));
        put(seen, PROFILES, String.join(",", instance.profiles()));
        if (instance.isVirtualMachine()) {
            seen.put(TYPE, VIRTUAL_MACHINE);
        }
        instance.devices().forEach((name, device) -> observed(seen, name, device));
        return seen;
    }

    /** The image that a machine is of, also where it was made from a baked one; null if LXD does not tell. */
    static @Nullable String fingerprint(Instance instance) {
        var of = instance.config().get(BAKED_OF_KEY);
        return of == null ? instance.config().get(BASE_IMAGE_KEY) : of;
    }

    private static void observed(Map<String, String> seen, String name, Map<String, String> device) {
        if (name.equals(ROOT_DEVICE)) {
            put(seen, POOL, device.get("pool"));
            put(seen, DISK, device.get("size"));
            seen.computeIfPresent(DISK, (_, text) -> size(text));
        } else if (name.equals(NIC_DEVICE)) {
            put(seen, NETWORK, device.get("network"));
            put(seen, ADDRESS, device.get("ipv4.address"));
        } else if (name.startsWith(VOLUME_DEVICE)) {
            seen.put(
                    VOLUME + name.substring(VOLUME_DEVICE.length()),
                    device.getOrDefault("source", "") + ":" + device.getOrDefault("path", ""));
        } else if (isGpu(name)) {
            seen.put(name, device.getOrDefault("pci", ""));
        } else if (ExtraDevices.isOurs(name)) {
            var attribute = ExtraDevices.observed(name, device);
            seen.put(attribute.getKey(), attribute.getValue());
        }
    }

    /** The config keys that the attributes determine, without tags. */
    static Map<String, String> config(Resource machine) {
        var config = new LinkedHashMap<String, String>();
        machine.values().forEach((attribute, value) -> {
            var key = CONFIG_KEYS.get(attribute);
            if (key != null) {
                config.put(key, value);
            }
        });
        config.put(HOSTNAME_KEY, machine.id().key());
        return config;
    }

    static List<String> profiles(Resource machine) {
        var names = machine.values().getOrDefault(PROFILES, "");
        return names.isEmpty() ? List.of() : List.of(names.split(","));
    }

    static boolean isVirtualMachine(Resource machine) {
        return VIRTUAL_MACHINE.equals(machine.values().get(TYPE));
    }

    static Map<String, Map<String, String>> devices(Resource machine) {
        var values = machine.values();
        var devices = new LinkedHashMap<String, Map<String, String>>();
        var root = new LinkedHashMap<>(Map.of("type", "disk", "path", "/", "pool", values.getOrDefault(POOL, "")));
        put(root, "size", values.get(DISK));
        devices.put(ROOT_DEVICE, root);
        var nic = new LinkedHashMap<>(
                Map.of("type", "nic", "name", NIC_DEVICE, "network", values.getOrDefault(NETWORK, "")));
        put(nic, "ipv4.address", values.get(ADDRESS));
        devices.put(NIC_DEVICE, nic);
        values.forEach((attribute, value) -> {
            if (attribute.startsWith(VOLUME)) {
                int colon = value.indexOf(':');
                devices.put(
                        VOLUME_DEVICE + attribute.substring(VOLUME.length()),
                        Map.of(
                                "type", "disk",
                                "pool", values.getOrDefault(POOL, ""),
                                "source", value.substring(0, colon),
                                "path", value.substring(colon + 1)));
            } else if (isGpu(attribute)) {
                devices.put(attribute, Map.of("type", "gpu", "gputype", "physical", "pci", value));
            } else if (ExtraDevices.isAttribute(attribute)) {
                devices.put(ExtraDevices.nameOf(attribute), ExtraDevices.device(attribute, value));
            }
        });
        return devices;
    }

    /** The config of an existing instance, with every key that attributes determine taken from the desired machine. */
    static Map<String, String> mergedConfig(Instance instance, Resource desired) {
        var config = new TreeMap<>(instance.config());
        config.keySet().removeAll(CONFIG_KEYS.values());
        config.putAll(config(desired));
        return config;
    }

    static Map<String, Map<String, String>> mergedDevices(Instance instance, Resource desired) {
        var devices = new TreeMap<>(instance.devices());
        devices.keySet().removeIf(MachineAttributes::isOurs);
        devices.putAll(devices(desired));
        return devices;
    }

    static boolean needsRestart(Map<String, String> seen, Resource desired) {
        var values = desired.lastingValues();
        return Stream.concat(seen.keySet().stream(), values.keySet().stream())
                .filter(key -> !Objects.equals(seen.get(key), values.get(key)))
                .anyMatch(key -> change(key) != Mutability.IN_PLACE);
    }

    static List<String> gpus(Instance instance) {
        return observed(instance).entrySet().stream()
                .filter(entry -> isGpu(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private static boolean isOurs(String device) {
        return device.equals(ROOT_DEVICE)
                || device.equals(NIC_DEVICE)
                || device.startsWith(VOLUME_DEVICE)
                || isGpu(device)
                || ExtraDevices.isOurs(device);
    }

    private static boolean isGpu(String name) {
        return name.matches("gpu[0-9]+");
    }

    /** In the format of site.yaml if possible, else unchanged. */
    static String size(String text) {
        try {
            return Size.parse(text).toString();
        } catch (IllegalArgumentException _) {
            return text;
        }
    }

    private static void put(Map<String, String> map, String key, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            map.put(key, value);
        }
    }
}
