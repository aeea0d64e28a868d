package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.opennebula.oca.Element;
import io.deepsite.opennebula.oca.OneVersion;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.ImageName;
import io.deepsite.site.IpAddress;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compiles one site on one snapshot of a front-end: to the resources it needs, or to all faults. */
final class Compilation {
    private final Snapshot snapshot;
    private final OpenNebulaSettings settings;
    private final Site site;
    private final Requirements requirements;
    private final Owned owned;
    private final List<Diagnostic> faults = new ArrayList<>();
    private final List<Resource> resources = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private final NetworkDesign network;
    private final ImageChoice images;
    private final VolumeDesign volumes;
    private final Cards cards;
    private final Placement placement;

    Compilation(Snapshot snapshot, OpenNebulaSettings settings, Site site, Requirements requirements) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.site = site;
        this.requirements = requirements;
        this.owned = new Owned(snapshot, site.name());
        this.network = new NetworkDesign(snapshot, site, settings.network(), requirements, owned, faults);
        this.images = new ImageChoice(snapshot, settings, site, owned, faults);
        this.volumes = new VolumeDesign(snapshot, site, requirements, images, resources, faults);
        this.cards = new Cards(snapshot, owned, faults);
        this.placement = new Placement(snapshot, faults);
    }

    Design design() {
        resources.addAll(network.resources());
        var addresses = network.addresses(settings.groups());
        resources.addAll(Rules.resources(site, requirements, settings.network().sshFrom(), addresses));
        site.machines().forEach((group, machine) -> {
            faults.addAll(requirements.of(group).misses(group, machine));
            group(group, machine, addresses);
        });
        resources.addAll(images.made());
        if (resources.stream().anyMatch(resource -> isImage(resource.id()))) {
            datastore();
        }
        var quota = new QuotaCheck(snapshot, site, settings, network.existing(), resources);
        if (faults.isEmpty()) {
            faults.addAll(quota.faults());
        }
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        return new Design(resources, machines, quota.bill());
    }

    private static boolean isImage(ResourceId id) {
        return id.kind().equals(Kinds.IMAGE) || id.kind().equals(Kinds.VOLUME);
    }

    private void datastore() {
        var known = snapshot.datastores().stream()
                .filter(Snapshot.Datastore::holdsImages)
                .toList();
        var name = settings.datastore();
        var found = name.isPresent() ? Snapshot.find(known, name.get()) : Snapshot.usual(known);
        found.ifPresent(images::refuseUnread);
        if (found.isEmpty()) {
            faults.add(new MissingReference(snapshot.front())
                    .thing(
                            Code.OPENNEBULA_DATASTORE_MISSING,
                            "The site",
                            "image datastore",
                            name.orElse("(any)"),
                            known,
                            "Name one in provider.opennebula.datastore.",
                            "onedatastore list"));
        }
    }

    private void group(Name group, MachineGroup machine, Map<String, IpAddress> addresses) {
        var more = settings.groups().getOrDefault(group, OpenNebulaMachines.NONE);
        if (machine.image().isEmpty()) {
            faults.add(Diagnostic.error(
                    Code.IMAGE_NEEDED,
                    "The machine group " + group + " names no image, and OpenNebula needs one.",
                    "Add machines." + group + ".image, such as debian-12."));
            return;
        }
        var names = site.machineNames(group);
        if (names.isEmpty()) {
            return;
        }
        volumes.check(group, more);
        var shared = new TreeMap<String, String>();
        template(group, more).ifPresent(name -> shared.put(VmAttributes.TEMPLATE, name));
        boot(group, more, shared);
        var where = placement.requirements(group, more);
        if (!where.isEmpty()) {
            shared.put(VmAttributes.PLACEMENT, where);
        }
        var gpus = cards.choose(group, machine, more, names);
        if (!gpus.isEmpty()) {
            shared.put(VmAttributes.GPUS, String.join(", ", gpus));
        }
        shared.put(VmAttributes.SECURITY_GROUPS, securityGroups(group, more));
        for (var name : names) {
            vm(group, machine, more, name, shared, Optional.ofNullable(addresses.get(name)));
        }
    }

    /** Its name and id. Checks its PCI devices: OpenNebula would refuse every machine made from a faulty template. */
    private Optional<String> template(Name group, OpenNebulaMachines more) {
        if (more.template().isEmpty()) {
            return Optional.empty();
        }
        var name = more.template().get();
        var found = Snapshot.find(snapshot.templates(), name);
        if (found.isEmpty()) {
            faults.add(new MissingReference(snapshot.front())
                    .thing(
                            Code.OPENNEBULA_TEMPLATE_MISSING,
                            "The machine group " + group,
                            "VM template",
                            name,
                            snapshot.templates(),
                            "Name one that this user may use.",
                            "onetemplate list"));
        }
        found.ifPresent(template -> template.template().all("PCI").forEach(pci -> clash(group, template, pci)));
        return found.map(template -> template.name() + " " + template.id());
    }

    private void clash(Name group, Snapshot.VmTemplate template, Element pci) {
        boolean byAddress = !pci.text("SHORT_ADDRESS").isEmpty();
        var others = Stream.of("VENDOR", "DEVICE", "CLASS")
                .filter(key -> !pci.text(key).isEmpty())
                .toList();
        var who = "The VM template " + template.name() + " of " + snapshot.front() + ", which machine group " + group
                + " names, has a PCI device with SHORT_ADDRESS";
        if (byAddress && !others.isEmpty()) {
            faults.add(Diagnostic.error(
                    Code.OPENNEBULA_PCI_CLASH,
                    who + " and " + String.join(", ", others)
                            + ". OpenNebula accepts only one way to choose it, and refuses the machine.",
                    "Keep one of the two in the template:",
                    "onetemplate update " + template.id()));
        } else if (byAddress && !snapshot.version().atLeast(OneVersion.V6_6)) {
            faults.add(Diagnostic.error(
                    Code.OPENNEBULA_TOO_OLD,
                    who + ", but version " + snapshot.version() + " does not support that.",
                    "Write VENDOR, DEVICE and CLASS there, or use OpenNebula 6.6 or newer."));
        }
    }

    private void boot(Name group, OpenNebulaMachines more, Map<String, String> shared) {
        more.chipset().ifPresent(chipset -> shared.put(VmAttributes.CHIPSET, chipset));
        more.firmware().ifPresent(firmware -> {
            shared.put(VmAttributes.FIRMWARE, firmware);
            if (!snapshot.version().atLeast(OneVersion.V6_2)) {
                faults.add(Diagnostic.error(
                        Code.OPENNEBULA_TOO_OLD,
                        "The machine group " + group + " asks for UEFI firmware, but " + snapshot.front() + " is "
                                + snapshot.version() + ", whose KVM driver does not support it.",
                        "Remove firmware, or use OpenNebula 6.2 or newer."));
            }
        });
        if (more.secureBoot()) {
            shared.put(VmAttributes.SECURE_BOOT, "true");
        }
    }

    /** Names of deepsite's groups, and names with ids of others. */
    private String securityGroups(Name group, OpenNebulaMachines more) {
        var names = new ArrayList<String>();
        names.add(Kinds.name(site.name(), Kinds.securityGroup(group)));
        for (var name : more.securityGroups()) {
            var found = Snapshot.find(snapshot.securityGroups(), name);
            found.ifPresent(known -> names.add(known.name() + " " + known.id()));
            if (found.isEmpty()) {
                faults.add(new MissingReference(snapshot.front())
                        .thing(
                                Code.OPENNEBULA_SECURITY_GROUP_MISSING,
                                "The machine group " + group,
                                "security group",
                                name,
                                snapshot.securityGroups(),
                                "Name one that this user may use.",
                                "onesecgroup list"));
            }
        }
        return names.stream().sorted().collect(Collectors.joining(", "));
    }

    private void vm(
            Name group,
            MachineGroup machine,
            OpenNebulaMachines more,
            String name,
            Map<String, String> shared,
            Optional<IpAddress> address) {
        var values = new TreeMap<>(shared);
        var needs = new ArrayList<>(network.needs());
        needs.add(Kinds.securityGroup(group));
        ImageName image = machine.image().orElseThrow();
        values.put(VmAttributes.IMAGE, image.value());
        var root = images.choose(group, image, name);
        var attached = volumes.of(group, name, more, root);
        root.ifPresent(chosen -> {
            values.put(VmAttributes.FINGERPRINT, chosen.fingerprint());
            chosen.resource().ifPresent(needs::add);
        });
        values.put(VmAttributes.CPUS, String.valueOf(machine.cpus()));
        values.put(VmAttributes.MEMORY, machine.memory().mebibytes() + "MiB");
        machine.disk().ifPresent(disk -> values.put(VmAttributes.DISK, disk.mebibytes() + "MiB"));
        values.put(VmAttributes.NETWORK, network.words());
        address.ifPresent(one -> values.put(VmAttributes.ADDRESS, one.toString()));
        if (!site.ssh().user().equals("root")) {
            values.put(VmAttributes.LOGIN, site.ssh().user());
        }
        attached.forEach((attribute, id) -> {
            values.put(attribute, id.key());
            needs.add(id);
        });
        nameFree(name);
        var attributes = new TreeMap<String, Attribute>();
        values.forEach((key, value) -> attributes.put(key, VmAttributes.attribute(key, value)));
        var id = new ResourceId(Kinds.VM, name);
        resources.add(new Resource(id, Kinds.name(site.name(), id), attributes, needs));
        machines.add(new Machine(
                name,
                group,
                Optional.of(id),
                settings.provider(),
                new Machine.Specs(
                        machine.cpus(), machine.memory().mebibytes(), false, Machine.Gpu.numbered(machine.gpus())),
                new Machine.Ssh(
                        address.map(IpAddress::toString),
                        site.ssh().port(),
                        site.ssh().user(),
                        Optional.empty())));
    }

    /** OpenNebula lets machines share a name; a second one of the same name would be confusing. */
    private void nameFree(String machine) {
        var id = new ResourceId(Kinds.VM, machine);
        var name = Kinds.name(site.name(), id);
        if (snapshot.vms().stream()
                .anyMatch(vm -> vm.name().equals(name)
                        && vm.ownership()
                                .filter(ours -> ours.isOf(id, site.name()))
                                .isEmpty())) {
            faults.add(nameTaken(snapshot.front(), Kinds.VM, name));
        }
    }

    static Diagnostic nameTaken(String front, String kind, String name) {
        return Diagnostic.error(
                Code.NAME_TAKEN,
                front + " has a " + Kinds.words(kind) + " named " + name
                        + " that does not carry this site's tags. It was not touched.",
                "Rename the site or the group, or delete the existing one if it is not needed.");
    }
}
