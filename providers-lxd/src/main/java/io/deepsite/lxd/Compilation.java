package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Compiles one site on one snapshot: to the resources it needs, or to all faults. */
final class Compilation {
    /** Longest name of an LXD instance; it is a host name. */
    private static final int LONGEST_NAME = 63;

    private final Snapshot snapshot;
    private final DaemonSettings settings;
    private final Site site;
    private final Requirements requirements;
    private final boolean refreshImages;
    private final Owned owned;
    private final List<Diagnostic> faults = new ArrayList<>();
    private final List<Resource> resources = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();

    Compilation(
            Snapshot snapshot, DaemonSettings settings, Site site, Requirements requirements, boolean refreshImages) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.site = site;
        this.requirements = requirements;
        this.refreshImages = refreshImages;
        this.owned = new Owned(snapshot, site.name());
    }

    Design design() {
        var pool = new PoolDesign(snapshot, settings.pool(), owned, faults).resource();
        pool.ifPresent(resources::add);
        var volumes = new VolumeDesign(snapshot, settings.pool().name(), site, requirements, owned, faults);
        volumes.resources(ids(pool)).forEach(resources::add);
        var network = new NetworkDesign(snapshot, settings.network(), site, owned, faults);
        network.resource().ifPresent(resources::add);
        var images = new ImageChoice(
                snapshot, owned, refreshImages, settings.images().keySet(), faults);
        var use = new DeviceUse(snapshot, settings, site, owned, faults);
        var groups = new GroupDesign(snapshot, settings, site, use, faults);
        groups.check();
        var cards = new GpuAssignment(snapshot, site, owned, use.divided(), faults).cards();
        var addresses = network.addresses(names(), requirements.addresses());
        site.machines().forEach((group, machine) -> {
            compareWithMinimum(group, machine);
            var ofGroup = site.machineNames(group);
            for (var name : ofGroup) {
                var gpus = cards.getOrDefault(name, List.of());
                var address = Optional.ofNullable(addresses.get(name));
                var attributes = attributes(group, machine, name, address, gpus);
                groups.attributes(group, ofGroup.indexOf(name)).forEach((key, value) -> put(attributes, key, value));
                images.fingerprint(group, machine, name, settings.of(group).virtualMachines())
                        .ifPresent(fingerprint -> put(attributes, MachineAttributes.FINGERPRINT, fingerprint));
                volumes.mounts(group)
                        .forEach((volume, mount) -> put(attributes, MachineAttributes.VOLUME + volume, mount));
                var dependsOn = new ArrayList<>(ids(pool));
                dependsOn.addAll(ids(network.resource()));
                volumes.mounts(group)
                        .keySet()
                        .forEach(volume -> dependsOn.add(new ResourceId(VolumeAttributes.KIND, volume)));
                var id = new ResourceId(ResourceId.MACHINE, name);
                resources.add(new Resource(id, backEndName(name), attributes, dependsOn));
                machines.add(machine(group, machine, id, address, gpus));
            }
        });
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        return new Design(resources, machines);
    }

    private List<String> names() {
        return site.machines().keySet().stream()
                .flatMap(group -> site.machineNames(group).stream())
                .toList();
    }

    private static List<ResourceId> ids(Optional<Resource> resource) {
        return resource.map(Resource::id).stream().toList();
    }

    private SortedMap<String, Attribute> attributes(
            Name group, MachineGroup machine, String name, Optional<String> address, List<Hardware.Card> gpus) {
        var needs = requirements.of(group);
        var attributes = new TreeMap<String, Attribute>();
        machine.image().ifPresent(image -> put(attributes, MachineAttributes.IMAGE, image.value()));
        put(attributes, "cpus", String.valueOf(machine.cpus()));
        put(attributes, "memory", machine.memory().toString());
        put(attributes, "autostart", "true");
        boolean container = !settings.of(group).virtualMachines();
        if (container && needs.nesting()) {
            put(attributes, "nesting", "true");
        }
        if (container && !needs.kernelModules().isEmpty()) {
            put(attributes, "modules", String.join(",", needs.kernelModules()));
        }
        put(attributes, MachineAttributes.POOL, settings.pool().name());
        machine.disk().ifPresent(disk -> put(attributes, MachineAttributes.DISK, disk.toString()));
        put(attributes, MachineAttributes.NETWORK, settings.network());
        address.ifPresent(fixed -> put(attributes, MachineAttributes.ADDRESS, fixed));
        for (int i = 0; i < gpus.size(); i++) {
            put(attributes, MachineAttributes.GPU + i, gpus.get(i).pciAddress());
        }
        nameFree(name);
        return attributes;
    }

    private static void put(Map<String, Attribute> attributes, String key, String value) {
        attributes.put(key, MachineAttributes.attribute(key, value));
    }

    private String backEndName(String machine) {
        return site.name() + "-" + machine;
    }

    private void nameFree(String machine) {
        var name = backEndName(machine);
        if (name.length() > LONGEST_NAME) {
            faults.add(Diagnostic.error(
                    Code.LXD_NAME_TOO_LONG,
                    "The instance would be named " + name + ": " + name.length() + " characters, but "
                            + settings.daemon() + " allows " + LONGEST_NAME + ".",
                    "Shorten the name of the site or of the machine group."));
        }
        var id = new ResourceId(ResourceId.MACHINE, machine);
        if (snapshot.instance(name).isPresent()
                && owned.machine(machine)
                        .filter(ours -> ours.name().equals(name))
                        .isEmpty()) {
            faults.add(Faults.nameTakenDiagnostic(id.kind(), name, settings.address()));
        }
        snapshot.instances().stream()
                .filter(other -> other.name().equals(name)
                        && !other.project().equals(settings.project())
                        && other.expandedDevices().values().stream()
                                .anyMatch(device -> settings.network().equals(device.get("network"))))
                .findFirst()
                .ifPresent(other -> faults.add(Diagnostic.error(
                        Code.NAME_TAKEN,
                        "The project " + other.project() + " of " + settings.address()
                                + " has an instance named "
                                + name + " on the network " + settings.network()
                                + ", and " + settings.daemon() + " starts only one of a name on each bridge.",
                        "Rename the site or the group, or name another bridge in "
                                + settings.daemon().setting("network") + "; deepsite makes it.")));
    }

    private void compareWithMinimum(Name group, MachineGroup machine) {
        faults.addAll(requirements.of(group).misses(group, machine));
    }

    private Machine machine(
            Name group, MachineGroup machine, ResourceId id, Optional<String> address, List<Hardware.Card> gpus) {
        return new Machine(
                id.key(),
                group,
                Optional.of(id),
                settings.provider(),
                new Machine.Specs(
                        machine.cpus(),
                        machine.memory().mebibytes(),
                        !settings.of(group).virtualMachines(),
                        settings.of(group).virtualMachines()
                                ? Machine.Gpu.numbered(machine.gpus())
                                : gpus.stream().map(Cards::onMachine).toList()),
                new Machine.Ssh(address, site.ssh().port(), site.ssh().user(), Optional.empty()));
    }
}
