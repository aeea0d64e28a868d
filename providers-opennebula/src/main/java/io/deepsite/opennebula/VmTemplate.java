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
import org.jspecify.annotations.Nullable;

/** What OpenNebula is asked when a machine is made: everything at once, its tags and its end included. */
final class VmTemplate {
    static final String SCHEDULED = "SCHED_ACTION";
    /** Whatever the guest does: an end is an end. */
    static final String END = "terminate-hard";

    private final TaggedResources things;

    VmTemplate(TaggedResources things) {
        this.things = things;
    }

    /** @param named it is put over a template of the site's, which names itself otherwise */
    Template of(Resource desired, Tags tags, Boot boot, OneVersion version, boolean named) {
        var values = desired.values();
        var template = new Template();
        if (named) {
            template.put("NAME", desired.name());
        }
        var cpus = values.getOrDefault(VmAttributes.CPUS, "1");
        template.put("CPU", cpus).put("VCPU", cpus);
        template.put("MEMORY", values.getOrDefault(VmAttributes.MEMORY, "").replace("MiB", ""));
        disks(template, desired, tags);
        nic(template, desired, tags);
        os(template, values);
        for (var card : list(values.get(VmAttributes.GPUS))) {
            template.vector("PCI", pci(card));
        }
        if (values.containsKey(VmAttributes.PLACEMENT)) {
            placement(template, desired);
        }
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

    /** Empty takes away what was there. */
    static void placement(Template template, Resource desired) {
        var where = desired.values().getOrDefault(VmAttributes.PLACEMENT, "");
        template.put("SCHED_REQUIREMENTS", where);
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

    /** What the site makes is found by its tags, another image is named by its id. */
    private String image(Resource desired, Tags tags) {
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

    /** Ours by its tags; another by its id, which stands behind its name. */
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

    private static void os(Template template, Map<String, String> values) {
        var os = new TreeMap<String, String>();
        Optional.ofNullable(values.get(VmAttributes.CHIPSET)).ifPresent(chipset -> os.put("MACHINE", chipset));
        Optional.ofNullable(values.get(VmAttributes.FIRMWARE)).ifPresent(path -> os.put("FIRMWARE", path));
        if (values.containsKey(VmAttributes.SECURE_BOOT)) {
            os.put("FIRMWARE_SECURE", "YES");
        }
        if (!os.isEmpty()) {
            template.vector("OS", os);
        }
    }

    /** Either by address or by vendor, device and class: OpenNebula refuses both. */
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

    private static List<String> list(@Nullable String text) {
        return text == null || text.isEmpty() ? List.of() : List.of(text.split(", "));
    }
}
