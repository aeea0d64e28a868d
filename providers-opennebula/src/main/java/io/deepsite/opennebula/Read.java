package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Element;
import io.deepsite.site.IpAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the parts of OpenNebula's documents that a {@link Snapshot} keeps. */
final class Read {
    private static final int KIBIBYTES = 1024;

    private Read() {}

    static Snapshot.Named named(Element thing) {
        return new Snapshot.Named(thing.id(), thing.text("NAME"));
    }

    static Snapshot.Vm vm(Element vm) {
        var user = vm.first("USER_TEMPLATE");
        return new Snapshot.Vm(
                vm.id(),
                vm.text("NAME"),
                new Life((int) vm.number("STATE"), (int) vm.number("LCM_STATE")),
                user.flatMap(Ownership::of),
                noted(user, Noted.ATTRIBUTE),
                noted(user, VmAttributes.KEYS),
                vm.all("TEMPLATE/NIC").stream()
                        .map(nic -> new Snapshot.Nic((int) nic.number("NETWORK_ID"), nic.text("IP")))
                        .toList(),
                vm.all("TEMPLATE/DISK").stream()
                        .map(disk -> new Snapshot.Disk((int) disk.number("DISK_ID"), (int) disk.number("IMAGE_ID")))
                        .toList(),
                (int) vm.number("TEMPLATE/VCPU"),
                vm.number("TEMPLATE/MEMORY"),
                vm.text("USER_TEMPLATE/SCHED_MESSAGE"),
                vm.text("USER_TEMPLATE/ERROR"));
    }

    private static Map<String, String> noted(Optional<Element> template, String attribute) {
        return template.flatMap(user -> user.first(attribute))
                .map(Element::values)
                .orElseGet(TreeMap::new);
    }

    static Snapshot.Network network(Element network) {
        var template = network.first("TEMPLATE");
        var values = new TreeMap<String, String>();
        template.ifPresent(all -> all.children().stream()
                .filter(child -> child.children().isEmpty())
                .forEach(child -> values.put(child.name(), child.own())));
        return new Snapshot.Network(
                network.id(),
                network.text("NAME"),
                template.flatMap(Ownership::of),
                noted(template, Noted.ATTRIBUTE),
                network.text("STATE").isEmpty() ? Snapshot.Network.READY : (int) network.number("STATE"),
                network.all("CLUSTERS/ID").stream()
                        .map(id -> Integer.valueOf(id.own()))
                        .collect(Collectors.toSet()),
                ranges(network),
                values);
    }

    private static List<Snapshot.Range> ranges(Element network) {
        var ranges = new ArrayList<Snapshot.Range>();
        for (var range : network.all("AR_POOL/AR")) {
            address(range.text("IP"))
                    .ifPresent(first -> ranges.add(new Snapshot.Range(
                            first,
                            range.number("SIZE"),
                            range.all("LEASES/LEASE").stream()
                                    .flatMap(lease -> address(lease.text("IP")).stream())
                                    .toList())));
        }
        return ranges;
    }

    static Optional<IpAddress> address(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(IpAddress.parse(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    static Snapshot.Image image(Element image) {
        var template = image.first("TEMPLATE");
        return new Snapshot.Image(
                image.id(),
                image.text("NAME"),
                template.flatMap(Ownership::of),
                noted(template, Noted.ATTRIBUTE),
                (int) image.number("DATASTORE_ID"),
                (int) image.number("STATE"),
                image.number("SIZE"),
                image.text("TEMPLATE/ERROR"),
                new Snapshot.Origin(
                        (int) image.number("UID"),
                        image.number("PERSISTENT") == 1,
                        image.first("TEMPLATE/SAVED_VM_ID").isPresent(),
                        template.flatMap(all -> all.first(BakedImageCalls.ATTRIBUTE))
                                .map(baked -> baked.text("OF")),
                        Instant.ofEpochSecond(image.number("REGTIME"))));
    }

    static Snapshot.SecurityGroup securityGroup(Element group) {
        return new Snapshot.SecurityGroup(
                group.id(),
                group.text("NAME"),
                group.first("TEMPLATE").flatMap(Ownership::of),
                group.all("TEMPLATE/RULE").stream()
                        .map(rule -> (Map<String, String>) rule.values())
                        .toList());
    }

    /** Disabled, failed and offline hosts accept no machine. */
    static Snapshot.Host host(Element host) {
        int state = (int) host.number("STATE");
        return new Snapshot.Host(
                host.id(),
                host.text("NAME"),
                (int) host.number("CLUSTER_ID"),
                state == 1 || state == 2,
                host.number("HOST_SHARE/MAX_CPU") - host.number("HOST_SHARE/CPU_USAGE"),
                (host.number("HOST_SHARE/MAX_MEM") - host.number("HOST_SHARE/MEM_USAGE")) / KIBIBYTES,
                host.all("HOST_SHARE/PCI_DEVICES/PCI").stream().map(Read::card).toList());
    }

    private static Snapshot.Card card(Element card) {
        return new Snapshot.Card(
                card.text("VENDOR").toLowerCase(Locale.ROOT),
                card.text("DEVICE").toLowerCase(Locale.ROOT),
                card.text("CLASS").toLowerCase(Locale.ROOT),
                card.text("DEVICE_NAME"),
                card.text("SHORT_ADDRESS"),
                card.number("VMID") == -1);
    }

    static Snapshot.Datastore datastore(Element datastore) {
        var free = datastore.number("FREE_MB");
        return new Snapshot.Datastore(
                datastore.id(),
                datastore.text("NAME"),
                datastore.number("TYPE") == 0,
                datastore.number("TOTAL_MB") > 0 ? free : -1,
                datastore.text("TEMPLATE/CLONE_TARGET"),
                datastore.text("TEMPLATE/LN_TARGET"),
                words(datastore.text("TEMPLATE/RESTRICTED_DIRS")),
                words(datastore.text("TEMPLATE/SAFE_DIRS")));
    }

    private static List<String> words(String text) {
        return Stream.of(text.split("\\s+")).filter(word -> !word.isEmpty()).toList();
    }

    static Snapshot.VmTemplate template(Element template) {
        return new Snapshot.VmTemplate(
                template.id(), template.text("NAME"), template.first("TEMPLATE").orElse(template));
    }
}
