package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.OneVersion;
import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The template that makes a machine: everything at once, including its tags and its end. */
final class VmTemplate {
    static final String SCHEDULED = "SCHED_ACTION";
    static final String REQUIREMENTS = "SCHED_REQUIREMENTS";
    /** Does not wait for the guest to shut down. */
    static final String END = "terminate-hard";

    private final TaggedResources things;

    VmTemplate(TaggedResources things) {
        this.things = things;
    }

    /**
     * @param base reads the OS attributes of the VM template that it extends: OpenNebula would keep none beside ours. Not
     *     called if the machine sets none
     */
    Template of(Resource desired, Tags tags, Boot boot, OneVersion version, Supplier<Map<String, String>> base) {
        var values = desired.values();
        var template = new Template().put("NAME", desired.name());
        var cpus = values.getOrDefault(VmAttributes.CPUS, "1");
        template.put("CPU", cpus).put("VCPU", cpus);
        template.put("MEMORY", values.getOrDefault(VmAttributes.MEMORY, "").replace("MiB", ""));
        disks(template, desired, tags);
        nic(template, desired, tags);
        os(template, values, base);
        for (var card : list(values.get(VmAttributes.GPUS))) {
            template.vector("PCI", pci(card));
        }
        Optional.ofNullable(values.get(VmAttributes.PLACEMENT)).ifPresent(where -> template.put(REQUIREMENTS, where));
        Context.into(template, desired, boot);
        new Ownership(desired.id(), tags).into(template);
        Noted.into(template, desired, VmAttributes.NOTED);
        var digests = VmAttributes.digests(boot);
        if (!digests.isEmpty()) {
            template.vector(VmAttributes.KEYS, digests);
        }
        tags.expiresAt().ifPresent(end -> template.vector(SCHEDULED, VmLease.ending(end, version, 0)));
        return template;
    }

    private void disks(Template template, Resource desired, Tags tags) {
        var root = new TreeMap<String, String>();
        root.put("IMAGE_ID", image(desired, tags));
        Optional.ofNullable(desired.values().get(VmAttributes.DISK))
                .ifPresent(size -> root.put("SIZE", size.replace("MiB", "")));
        template.vector("DISK", root);
        desired.values().forEach((attribute, key) -> {
            if (attribute.startsWith(VmAttributes.VOLUME)) {
                template.vector("DISK", volume(key, tags));
            }
        });
    }

    Map<String, String> volume(String key, Tags tags) {
        return Map.of("IMAGE_ID", String.valueOf(imageId(new ResourceId(Kinds.VOLUME, key), tags)));
    }

    /** A baked image is found by its name, an image of the site by its tags, another one by its id. */
    private String image(Resource desired, Tags tags) {
        return desired.bakedImage().map(things::bakedId).map(String::valueOf).orElseGet(() -> ownImage(desired, tags));
    }

    private String ownImage(Resource desired, Tags tags) {
        return desired.dependsOn().stream()
                .filter(id -> id.kind().equals(Kinds.IMAGE))
                .findFirst()
                .map(id -> String.valueOf(imageId(id, tags)))
                .orElseGet(() -> desired.values().getOrDefault(VmAttributes.FINGERPRINT, ""));
    }

    int imageId(ResourceId id, Tags tags) {
        var name = Kinds.name(tags.site(), id);
        return things.needed(things.image(id, name, tags), id, name);
    }

    private void nic(Template template, Resource desired, Tags tags) {
        var values = desired.values();
        var nic = new TreeMap<String, String>();
        nic.put("NETWORK_ID", network(desired, tags));
        Optional.ofNullable(values.get(VmAttributes.ADDRESS)).ifPresent(address -> nic.put("IP", address));
        var groups = list(values.get(VmAttributes.SECURITY_GROUPS)).stream()
                .map(words -> securityGroup(desired, words, tags))
                .toList();
        nic.put("SECURITY_GROUPS", String.join(",", groups));
        template.vector("NIC", nic);
    }

    private String network(Resource desired, Tags tags) {
        if (desired.dependsOn().contains(Kinds.THE_NETWORK)) {
            var name = Kinds.name(tags.site(), Kinds.THE_NETWORK);
            return String.valueOf(
                    things.needed(things.network(Kinds.THE_NETWORK, name, tags), Kinds.THE_NETWORK, name));
        }
        return lastWord(desired.values().getOrDefault(VmAttributes.NETWORK, ""));
    }

    /** A group of deepsite by its tags; another by the id behind its name. */
    private String securityGroup(Resource desired, String words, Tags tags) {
        return desired.dependsOn().stream()
                .filter(id -> id.kind().equals(Kinds.SECURITY_GROUP)
                        && Kinds.name(tags.site(), id).equals(words))
                .findFirst()
                .map(id -> String.valueOf(things.needed(things.securityGroup(id, words, tags), id, words)))
                .orElseGet(() -> lastWord(words));
    }

    private static String lastWord(String words) {
        return words.substring(words.lastIndexOf(' ') + 1);
    }

    private static void os(Template template, Map<String, String> values, Supplier<Map<String, String>> base) {
        var os = new TreeMap<String, String>();
        Optional.ofNullable(values.get(VmAttributes.CHIPSET)).ifPresent(chipset -> os.put("MACHINE", chipset));
        Optional.ofNullable(values.get(VmAttributes.FIRMWARE)).ifPresent(path -> os.put("FIRMWARE", path));
        if (values.containsKey(VmAttributes.SECURE_BOOT)) {
            os.put("FIRMWARE_SECURE", "YES");
        }
        if (!os.isEmpty()) {
            base.get().forEach(os::putIfAbsent);
            template.vector("OS", os);
        }
    }

    /** By address, or by vendor, device and class: OpenNebula refuses both at once. */
    private static Map<String, String> pci(String card) {
        var pci = new TreeMap<String, String>();
        for (var part : card.split(" ")) {
            var pair = part.split("=", 2);
            pci.put(
                    switch (pair[0]) {
                        case "address" -> "SHORT_ADDRESS";
                        case "vendor" -> "VENDOR";
                        case "device" -> "DEVICE";
                        default -> "CLASS";
                    },
                    pair[1]);
        }
        return pci;
    }

    static List<String> list(@Nullable String text) {
        return text == null || text.isEmpty() ? List.of() : List.of(text.split(", "));
    }
}
