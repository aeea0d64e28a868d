package io.deepsite.lxd;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts between the attributes that only LXD has, one line each, and the devices of an instance, in both directions. {@code mig0} is a slice of a card, {@code vgpu0} a part of one, {@code ib0} an InfiniBand interface,
 * {@code device.<name>} a character device, {@code folder.<name>} a folder of the host.
 */
final class ExtraDevices {
    private static final String MIG = "mig0";
    private static final String VIRTUAL_GPU = "vgpu0";
    private static final String INFINIBAND = "ib0";
    private static final String DEVICE = "device.";
    private static final String FOLDER = "folder.";
    private static final String DEVICE_PREFIX = "dev-";
    private static final String FOLDER_PREFIX = "dir-";
    private static final List<String> SINGLE = List.of(MIG, VIRTUAL_GPU, INFINIBAND);

    private ExtraDevices() {}

    /** @param number of the machine in its group, from 0 */
    static Map<String, String> wanted(LxdMachines group, int number) {
        var wanted = new LinkedHashMap<String, String>();
        if (number < group.mig().size()) {
            var slice = group.mig().get(number);
            wanted.put(MIG, slice.pci() + " " + words(slice));
        }
        group.virtualGpu()
                .ifPresent(part -> wanted.put(
                        VIRTUAL_GPU,
                        part.type() + " " + part.pci()
                                + part.profile().map(profile -> " " + profile).orElse("")));
        group.infiniband().ifPresent(infiniband -> {
            var parents = infiniband.parents();
            int of = infiniband.type().equals("physical") ? number : 0;
            if (of < parents.size()) {
                wanted.put(INFINIBAND, infiniband.type() + " " + parents.get(of));
            }
        });
        group.devices()
                .forEach((name, device) -> wanted.put(
                        DEVICE + name,
                        device.source() + " " + device.path().orElse(device.source()) + " " + device.mode()));
        group.folders()
                .forEach((name, folder) -> wanted.put(
                        FOLDER + name,
                        folder.source() + " " + folder.path() + (folder.write() ? " rw" : " ro")
                                + (folder.shift() ? " shift" : "")));
        return wanted;
    }

    /** {@code uuid=…}, or {@code gi=… ci=…}. */
    static String words(LxdMachines.MigSlice slice) {
        return slice.uuid()
                .map(uuid -> "uuid=" + uuid.replaceFirst("^MIG-", "").toLowerCase(Locale.ROOT))
                .orElse("gi=" + slice.gi().orElse(0) + " ci=" + slice.ci().orElse(0));
    }

    /** In the format of {@link #words(LxdMachines.MigSlice)}; empty for other devices. */
    static Optional<String> slice(Map<String, String> device) {
        if (!"mig".equals(device.get("gputype"))) {
            return Optional.empty();
        }
        var uuid = device.get("mig.uuid");
        return Optional.of(
                uuid != null
                        ? "uuid=" + uuid.replaceFirst("^MIG-", "").toLowerCase(Locale.ROOT)
                        : "gi=" + device.get("mig.gi") + " ci=" + device.get("mig.ci"));
    }

    static boolean isAttribute(String key) {
        return SINGLE.contains(key) || key.startsWith(DEVICE) || key.startsWith(FOLDER);
    }

    /** Whether deepsite makes devices of this name. */
    static boolean isOurs(String name) {
        return SINGLE.contains(name) || name.startsWith(DEVICE_PREFIX) || name.startsWith(FOLDER_PREFIX);
    }

    static String nameOf(String attribute) {
        return attribute.startsWith(DEVICE)
                ? DEVICE_PREFIX + attribute.substring(DEVICE.length())
                : attribute.startsWith(FOLDER) ? FOLDER_PREFIX + attribute.substring(FOLDER.length()) : attribute;
    }

    static Map<String, String> device(String attribute, String value) {
        var words = value.split(" ");
        var device = new LinkedHashMap<String, String>();
        if (attribute.equals(MIG)) {
            device.putAll(Map.of("type", "gpu", "gputype", "mig", "pci", words[0]));
            Arrays.stream(words).skip(1).forEach(word -> {
                int equals = word.indexOf('=');
                device.put("mig." + word.substring(0, equals), word.substring(equals + 1));
            });
        } else if (attribute.equals(VIRTUAL_GPU)) {
            device.putAll(Map.of("type", "gpu", "gputype", words[0], "pci", words[1]));
            if (words.length > 2) {
                device.put("mdev", words[2]);
            }
        } else if (attribute.equals(INFINIBAND)) {
            device.putAll(Map.of("type", "infiniband", "name", INFINIBAND, "nictype", words[0], "parent", words[1]));
        } else if (attribute.startsWith(DEVICE)) {
            device.putAll(Map.of("type", "unix-char", "source", words[0], "path", words[1], "mode", words[2]));
        } else {
            device.putAll(Map.of("type", "disk", "source", words[0], "path", words[1]));
            if (words[2].equals("ro")) {
                device.put("readonly", "true");
            }
            if (words.length > 3) {
                device.put("shift", "true");
            }
        }
        return device;
    }

    /** The attribute of a device that deepsite made. */
    static Map.Entry<String, String> observed(String name, Map<String, String> device) {
        if (name.equals(MIG)) {
            return Map.entry(MIG, device.get("pci") + " " + slice(device).orElse(""));
        }
        if (name.equals(VIRTUAL_GPU)) {
            return Map.entry(VIRTUAL_GPU, line(device.get("gputype"), device.get("pci"), device.get("mdev")));
        }
        if (name.equals(INFINIBAND)) {
            return Map.entry(INFINIBAND, line(device.get("nictype"), device.get("parent")));
        }
        if (name.startsWith(DEVICE_PREFIX)) {
            return Map.entry(
                    DEVICE + name.substring(DEVICE_PREFIX.length()),
                    line(device.get("source"), device.get("path"), device.get("mode")));
        }
        return Map.entry(
                FOLDER + name.substring(FOLDER_PREFIX.length()),
                line(
                        device.get("source"),
                        device.get("path"),
                        "true".equals(device.get("readonly")) ? "ro" : "rw",
                        "true".equals(device.get("shift")) ? "shift" : null));
    }

    private static String line(@Nullable String... words) {
        var line = new StringBuilder();
        for (var word : words) {
            if (word != null) {
                line.append(line.isEmpty() ? "" : " ").append(word);
            }
        }
        return line.toString();
    }
}
