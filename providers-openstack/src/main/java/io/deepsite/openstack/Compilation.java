package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.ImageName;
import io.deepsite.site.IpAddress;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Compiles one site on one snapshot of a project: the resources that it needs there, or everything that prevents it. */
final class Compilation {
    private static final long GIBIBYTE = 1L << 30;

    private final Snapshot snapshot;
    private final OpenStackSettings settings;
    private final Site site;
    private final Requirements requirements;
    private final Owned owned;
    private final MissingReference lacks;
    private final List<Diagnostic> faults = new ArrayList<>();
    private final List<Resource> resources = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private final NetworkDesign network;
    private final ImageChoice images;
    private final FlavorChoice flavors;
    private final GroupChecks checks;
    private final VolumeDesign volumes;
    /** Created only if there are any. */
    private final Set<ResourceId> rules = new HashSet<>();

    private final Map<String, List<String>> serverIds;

    Compilation(Snapshot snapshot, OpenStackSettings settings, Site site, Requirements requirements) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.site = site;
        this.requirements = requirements;
        this.owned = new Owned(snapshot, site.name());
        this.lacks = new MissingReference(snapshot.cloud());
        this.network = new NetworkDesign(snapshot, site, settings.network(), owned, faults);
        this.images = new ImageChoice(snapshot, settings, site, owned, faults);
        this.flavors = new FlavorChoice(snapshot, settings, site, faults);
        this.checks = new GroupChecks(snapshot, requirements, faults);
        this.volumes = new VolumeDesign(snapshot, site, requirements, owned, resources, faults);
        this.serverIds = snapshot.servers().stream()
                .collect(Collectors.groupingBy(
                        Snapshot.Server::name, Collectors.mapping(Snapshot.Server::id, Collectors.toList())));
    }

    Design design() {
        resources.addAll(network.resources());
        resources.addAll(Rules.resources(
                site, requirements, settings.network(), settings.bastion(), outside(), network.hasIpv6()));
        resources.stream()
                .map(Resource::id)
                .filter(id -> id.kind().equals(Kinds.SECURITY_RULES))
                .forEach(rules::add);
        resource(Kinds.THE_KEYPAIR, Map.of(), List.of());
        var addresses = network.addresses(settings.groups());
        site.machines().forEach((group, machine) -> {
            checks.compareWithMinimum(group, machine);
            group(group, machine, addresses);
        });
        resources.addAll(images.uploads());
        resources.addAll(flavors.made());
        var quota = new QuotaCheck(snapshot, site, settings, resources);
        if (faults.isEmpty()) {
            faults.addAll(quota.faults());
        }
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        return new Design(resources, machines, quota.bill());
    }

    private OpenStackMachines more(Name group) {
        return settings.groups().getOrDefault(group, OpenStackMachines.NONE);
    }

    /** Groups that SSH reaches without passing a bastion. */
    private Set<Name> outside() {
        var outside = new LinkedHashSet<Name>();
        for (var group : site.machines().keySet()) {
            if (settings.bastion().isEmpty()
                    || settings.bastion().get().equals(group)
                    || more(group).floatingIps()) {
                outside.add(group);
            }
        }
        return outside;
    }

    private void group(Name group, MachineGroup machine, Map<String, List<IpAddress>> addresses) {
        var more = more(group);
        if (machine.image().isEmpty()) {
            faults.add(Diagnostic.error(
                    Code.IMAGE_NEEDED,
                    "The machine group " + group + " names no image, and OpenStack needs one to create a machine.",
                    "Add machines." + group + ".image, such as debian/12."));
            return;
        }
        checks.named(group, more);
        volumes.check(group, more);
        var names = site.machineNames(group);
        if (names.isEmpty()) {
            return;
        }
        serverGroup(group, more);
        var image = machine.image().get();
        var first = images.choose(group, image, names.getFirst());
        var wanted = new FlavorChoice.Wanted(
                group,
                machine,
                more,
                first.map(ImageChoice.Chosen::minDiskGibibytes).orElse(0),
                first.map(ImageChoice.Chosen::minMemoryMebibytes).orElse(0));
        var flavor = flavors.choose(wanted);
        var groupIds = securityGroups(group, more);
        for (var name : names) {
            var fixed = addresses.getOrDefault(name, List.of());
            ports(group, name, fixed, groupIds);
            var attached = volumes.of(group, name, more);
            server(new Asked(group, machine, more, name, image, wanted.size(), attached), flavor);
            machines.add(machine(group, machine, name, fixed));
        }
    }

    /** The first machine of the bastion's group. */
    private Optional<String> bastion() {
        return settings.bastion()
                .filter(site.machines()::containsKey)
                .flatMap(group -> site.machineNames(group).stream().findFirst());
    }

    private boolean isBastion(String machine) {
        return bastion().equals(Optional.of(machine));
    }

    private void serverGroup(Name group, OpenStackMachines more) {
        more.placement()
                .ifPresent(policy -> resource(
                        Kinds.serverGroup(group),
                        Map.of("policy", new Attribute(policy, Mutability.REPLACE)),
                        List.of()));
    }

    /** Names of the groups that the ports of a machine group are in. */
    private List<String> securityGroups(Name group, OpenStackMachines more) {
        var names = new ArrayList<String>();
        names.add(Kinds.name(site.name(), Kinds.securityGroup(group)));
        for (var name : more.securityGroups()) {
            var found = snapshot.securityGroup(name);
            found.ifPresent(known -> names.add(PortAttributes.words(known)));
            if (found.isEmpty()) {
                faults.add(lacks.thing(
                        Code.OPENSTACK_SECURITY_GROUP_MISSING,
                        "The machine group " + group,
                        "security group",
                        name,
                        snapshot.securityGroups().stream()
                                .map(Snapshot.SecurityGroup::name)
                                .toList(),
                        "Name one of this project.",
                        "openstack security group list"));
            }
        }
        return names;
    }

    private void ports(Name group, String machine, List<IpAddress> fixed, List<String> securityGroups) {
        var needs = new ArrayList<>(network.portNeeds());
        needs.add(Kinds.securityGroup(group));
        var attributes = new TreeMap<String, Attribute>();
        attributes.put(PortAttributes.NETWORK, new Attribute(network.portNetwork(), Mutability.REPLACE));
        attributes.put(
                PortAttributes.ADDRESS,
                new Attribute(
                        fixed.stream().map(IpAddress::toString).collect(Collectors.joining(", ")), Mutability.REPLACE));
        attributes.put(
                PortAttributes.SECURITY_GROUPS,
                new Attribute(securityGroups.stream().sorted().collect(Collectors.joining(", ")), Mutability.IN_PLACE));
        var port = Kinds.port(machine);
        resource(port, attributes, needs);
        network.externalWords().filter(_ -> hasFloatingIp(group, machine)).ifPresent(external -> {
            var floatingNeeds = new ArrayList<>(network.floatingNeeds());
            floatingNeeds.add(port);
            resource(
                    Kinds.floatingIp(machine),
                    Map.of(
                            PortAttributes.NETWORK, new Attribute(external, Mutability.REPLACE),
                            PortAttributes.PORT, new Attribute(machine, Mutability.IN_PLACE)),
                    floatingNeeds);
        });
    }

    /** @param volumes as in {@link VolumeDesign#of} */
    private record Asked(
            Name group,
            MachineGroup machine,
            OpenStackMachines more,
            String name,
            ImageName image,
            String size,
            SortedMap<String, ResourceId> volumes) {}

    private void server(Asked asked, Optional<String> flavor) {
        var attributes = new TreeMap<String, Attribute>();
        var needs = new ArrayList<ResourceId>();
        needs.add(Kinds.port(asked.name()));
        needs.add(Kinds.THE_KEYPAIR);
        Optional.of(Kinds.securityRules(asked.group())).filter(rules::contains).ifPresent(needs::add);
        put(attributes, ServerAttributes.IMAGE, asked.image().value());
        images.choose(asked.group(), asked.image(), asked.name()).ifPresent(chosen -> {
            put(attributes, ServerAttributes.FINGERPRINT, chosen.fingerprint());
            chosen.upload().ifPresent(needs::add);
        });
        put(attributes, ServerAttributes.SIZE, asked.size());
        kept(asked).or(() -> flavor).ifPresent(name -> put(attributes, ServerAttributes.FLAVOR, name));
        if (flavors.made().stream().anyMatch(made -> made.id().equals(Kinds.flavor(asked.group())))) {
            needs.add(Kinds.flavor(asked.group()));
        }
        var more = asked.more();
        more.zone().ifPresent(zone -> put(attributes, ServerAttributes.ZONE, zone));
        more.placement().ifPresent(policy -> {
            put(attributes, ServerAttributes.PLACEMENT, policy);
            needs.add(Kinds.serverGroup(asked.group()));
        });
        more.bootVolume()
                .ifPresent(volume -> put(
                        attributes,
                        ServerAttributes.BOOT,
                        "volume "
                                + asked.machine()
                                        .disk()
                                        .map(disk -> disk.bytes() / GIBIBYTE + "GiB")
                                        .orElse("")
                                + volume.type().map(type -> " " + type).orElse("")));
        if (more.configDrive()) {
            put(attributes, ServerAttributes.CONFIG_DRIVE, "true");
        }
        more.userData().ifPresent(path -> userData(asked.group(), path, attributes));
        if (!site.ssh().user().equals("root")) {
            put(attributes, ServerAttributes.LOGIN, site.ssh().user());
        }
        more.metadata().forEach((key, value) -> put(attributes, ServerAttributes.METADATA + key, value));
        asked.volumes().forEach((attribute, id) -> {
            put(attributes, attribute, id.key());
            needs.add(id);
        });
        // Its bastion first.
        bastion()
                .filter(gate -> !gate.equals(asked.name()) && !reachedAlone(asked.group(), asked.name()))
                .ifPresent(gate -> needs.add(new ResourceId(ResourceId.MACHINE, gate)));
        if (hasFloatingIp(asked.group(), asked.name())) {
            needs.add(Kinds.floatingIp(asked.name()));
        }
        nameFree(asked.name());
        var id = new ResourceId(ResourceId.MACHINE, asked.name());
        resources.add(new Resource(id, Kinds.name(site.name(), id), attributes, needs));
    }

    private boolean hasFloatingIp(Name group, String machine) {
        return network.externalWords().isPresent() && reachedAlone(group, machine);
    }

    private boolean reachedAlone(Name group, String machine) {
        return more(group).floatingIps() || isBastion(machine);
    }

    /** The flavor of an existing machine, if the site still asks the same of it. */
    private Optional<String> kept(Asked asked) {
        return asked.more().flavor().isPresent()
                ? Optional.empty()
                : owned.server(asked.name())
                        .filter(server ->
                                asked.size().equals(server.metadata().get(Ownership.KEY + "-" + ServerAttributes.SIZE)))
                        .map(Snapshot.Server::flavor)
                        .filter(name -> snapshot.flavor(name).isPresent());
    }

    private void userData(Name group, String path, Map<String, Attribute> attributes) {
        var file = snapshot.userData().get(group);
        if (file == null) {
            return;
        }
        put(attributes, ServerAttributes.USER_DATA, path + " " + file.digest().substring(0, 32));
        if (UserData.type(file.firstLine()).isEmpty()) {
            faults.add(Diagnostic.error(
                    Code.OPENSTACK_USER_DATA,
                    "The file " + path + " of machine group " + group + " begins with neither #cloud-config nor #!,"
                            + " so cloud-init would not know what it is.",
                    "Begin it with one of them."));
        }
        if (file.bytes() > UserData.ROOM) {
            faults.add(Diagnostic.error(
                    Code.OPENSTACK_USER_DATA,
                    "The file " + path + " of machine group " + group + " has " + file.bytes()
                            + " bytes. Nova's limit for user data is 64 KiB; beside deepsite's own part the file may have "
                            + UserData.ROOM + " bytes.",
                    "Let the file fetch the rest, or put it into the image."));
        }
    }

    private void resource(ResourceId id, Map<String, Attribute> attributes, List<ResourceId> needs) {
        resources.add(new Resource(id, Kinds.name(site.name(), id), new TreeMap<>(attributes), needs));
    }

    private static void put(Map<String, Attribute> attributes, String key, String value) {
        attributes.put(key, ServerAttributes.attribute(key, value));
    }

    /** Nova lets servers share a name; a second server with the name of ours would confuse its users. */
    private void nameFree(String machine) {
        var name = Kinds.name(site.name(), new ResourceId(ResourceId.MACHINE, machine));
        var ours = owned.server(machine).map(Snapshot.Server::id);
        if (serverIds.getOrDefault(name, List.of()).stream().anyMatch(id -> !ours.equals(Optional.of(id)))) {
            faults.add(nameTaken(snapshot.cloud(), "server", name));
        }
    }

    static Diagnostic nameTaken(String cloud, String kind, String name) {
        return Diagnostic.error(
                Code.NAME_TAKEN,
                "The project at " + cloud + " has a " + kind + " named " + name
                        + " without this site's tags. It was not changed.",
                "Rename the site or the group, or delete the existing one if it is not needed.");
    }

    private Machine machine(Name group, MachineGroup machine, String name, List<IpAddress> fixed) {
        return new Machine(
                name,
                group,
                Optional.of(new ResourceId(ResourceId.MACHINE, name)),
                settings.provider(),
                new Machine.Specs(
                        machine.cpus(), machine.memory().mebibytes(), false, Machine.Gpu.numbered(machine.gpus())),
                new Machine.Ssh(
                        fixed.stream().findFirst().map(IpAddress::toString),
                        site.ssh().port(),
                        site.ssh().user(),
                        Optional.empty(),
                        bastion().filter(_ -> !reachedAlone(group, name)),
                        owned.floatingIp(name).map(Snapshot.FloatingIp::address)));
    }
}
