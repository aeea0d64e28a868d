package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.GivenAddresses;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import io.deepsite.site.OpenStackExternal;
import io.deepsite.site.OpenStackMachines;
import io.deepsite.site.OpenStackNetwork;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The network of a site, made or found, and the fixed addresses of its machines. */
final class NetworkDesign {
    static final String CIDR = "cidr";
    static final String GATEWAY = "gateway";
    static final String DNS = "dns";
    static final String SUBNETS = "subnets";
    static final String EXTERNAL = "external";
    static final String PROVIDER = "provider";
    static final String POOL = "pool";

    private final Snapshot snapshot;
    private final Site site;
    private final OpenStackNetwork settings;
    private final Owned owned;
    private final List<Diagnostic> faults;
    private final Optional<Snapshot.Network> existing;
    private final Optional<Snapshot.Network> external;
    private final Map<Cidr, Boolean> ranges;

    NetworkDesign(Snapshot snapshot, Site site, OpenStackNetwork settings, Owned owned, List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.site = site;
        this.settings = settings;
        this.owned = owned;
        this.faults = faults;
        this.existing = settings.existing().flatMap(name -> find("existing", name, false));
        this.ranges = findRanges();
        this.external = settings.external().flatMap(name -> find("external", name, true));
    }

    private Optional<Snapshot.Network> find(String key, String name, boolean outside) {
        var found = snapshot.network(name).filter(network -> !outside || network.external());
        if (found.isEmpty()) {
            var what = outside ? "external network" : "network";
            faults.add(new MissingReference(snapshot.cloud())
                    .thing(
                            Code.OPENSTACK_NETWORK_MISSING,
                            "provider.openstack.network." + key,
                            what,
                            name,
                            snapshot.networks().stream()
                                    .filter(network -> !outside || network.external())
                                    .map(Snapshot.Network::name)
                                    .toList(),
                            "Name one that this project sees.",
                            "openstack network list" + (outside ? " --external" : "")));
        }
        return found;
    }

    /** Network, subnets and router; none where the site uses a network that exists. */
    List<Resource> resources() {
        if (settings.existing().isPresent()) {
            return List.of();
        }
        var resources = new ArrayList<Resource>();
        settings.externalNetwork().ifPresent(made -> resources.addAll(external(made)));
        resources.add(resource(Kinds.THE_NETWORK, new TreeMap<>(), List.of()));
        resources.add(subnet(Kinds.SUBNET_IPV4, settings.cidr()));
        settings.ipv6().ifPresent(range -> resources.add(subnet(Kinds.SUBNET_IPV6, range)));
        externalWords().ifPresent(network -> {
            var subnets = subnetIds();
            var attributes = new TreeMap<String, Attribute>();
            attributes.put(EXTERNAL, new Attribute(network, Mutability.IN_PLACE));
            attributes.put(
                    SUBNETS,
                    new Attribute(
                            subnets.stream().map(ResourceId::key).collect(Collectors.joining(", ")),
                            Mutability.IN_PLACE));
            var needs = new ArrayList<>(subnets);
            settings.externalNetwork().ifPresent(_ -> needs.add(Kinds.EXTERNAL_SUBNET));
            resources.add(resource(Kinds.THE_ROUTER, attributes, needs));
        });
        return resources;
    }

    private List<Resource> external(OpenStackExternal made) {
        if (!snapshot.admin()) {
            faults.add(Diagnostic.error(
                    Code.OPENSTACK_NOT_ADMIN,
                    "The external network at " + made.physical() + " is made by administrators of " + snapshot.cloud()
                            + " only.",
                    "Ask one, or name one that exists as external instead. This lists them:",
                    "openstack network list --external"));
        }
        var network = new TreeMap<String, Attribute>();
        var provider = made.type() + " " + made.physical()
                + made.segment().map(segment -> " " + segment).orElse("");
        network.put(PROVIDER, new Attribute(provider, Mutability.REPLACE));
        var subnet = new TreeMap<String, Attribute>();
        subnet.put(CIDR, new Attribute(made.cidr().toString(), Mutability.REPLACE));
        subnet.put(GATEWAY, new Attribute(made.gateway().toString(), Mutability.REPLACE));
        subnet.put(POOL, new Attribute(made.first() + "-" + made.last(), Mutability.REPLACE));
        return List.of(
                resource(Kinds.EXTERNAL_NETWORK, network, List.of()),
                resource(Kinds.EXTERNAL_SUBNET, subnet, List.of(Kinds.EXTERNAL_NETWORK)));
    }

    /** What a port needs. */
    List<ResourceId> portNeeds() {
        return settings.existing().isPresent() ? List.of() : subnetIds();
    }

    /** What a floating IP needs besides its port: without the router's way out Neutron refuses it. */
    List<ResourceId> floatingNeeds() {
        return settings.existing().isPresent() || externalWords().isEmpty() ? List.of() : List.of(Kinds.THE_ROUTER);
    }

    private List<ResourceId> subnetIds() {
        return settings.ipv6().isPresent() ? List.of(Kinds.SUBNET_IPV4, Kinds.SUBNET_IPV6) : List.of(Kinds.SUBNET_IPV4);
    }

    boolean hasIpv6() {
        return ranges.keySet().stream().anyMatch(Cidr::isIpv6);
    }

    /** The network that ports are on, as their attribute says it. */
    String portNetwork() {
        return existing.map(NetworkDesign::words).orElse(Kinds.name(site.name(), Kinds.THE_NETWORK));
    }

    Optional<String> externalWords() {
        return settings.externalNetwork()
                .map(_ -> Kinds.name(site.name(), Kinds.EXTERNAL_NETWORK))
                .or(() -> external.map(NetworkDesign::words));
    }

    /** Names are not unique, ids are not readable: both. */
    static String words(Snapshot.Network network) {
        return network.name() + " " + network.id();
    }

    private Resource subnet(ResourceId id, Cidr range) {
        var attributes = new TreeMap<String, Attribute>();
        attributes.put(CIDR, new Attribute(range.toString(), Mutability.REPLACE));
        attributes.put(GATEWAY, new Attribute(Addresses.gateway(range).toString(), Mutability.REPLACE));
        var dns = settings.dns().stream()
                .filter(address -> isIpv6(address) == range.isIpv6())
                .map(IpAddress::toString)
                .collect(Collectors.joining(", "));
        if (!dns.isEmpty()) {
            attributes.put(DNS, new Attribute(dns, Mutability.IN_PLACE));
        }
        return resource(id, attributes, List.of(Kinds.THE_NETWORK));
    }

    private Resource resource(ResourceId id, Map<String, Attribute> attributes, List<ResourceId> dependsOn) {
        return new Resource(id, Kinds.name(site.name(), id), new TreeMap<>(attributes), dependsOn);
    }

    private static boolean isIpv6(IpAddress address) {
        return address.value().getAddress().length == 16;
    }

    /** By machine, IPv4 first: those that exist keep theirs, those that the site names get them. */
    Map<String, List<IpAddress>> addresses(Map<Name, OpenStackMachines> groups) {
        var given = new TreeMap<String, List<IpAddress>>();
        boolean first = true;
        for (var range : ranges.entrySet()) {
            allocate(
                    range.getKey(),
                    range.getValue(),
                    first ? GivenAddresses.of(site, groups, OpenStackMachines::addresses) : Map.of(),
                    given);
            first = false;
        }
        return given;
    }

    /** What machines need addresses of, IPv4 first, and whether the subnet is made for the site. */
    private Map<Cidr, Boolean> findRanges() {
        var ranges = new LinkedHashMap<Cidr, Boolean>();
        if (settings.existing().isEmpty()) {
            ranges.put(settings.cidr(), true);
            settings.ipv6().ifPresent(range -> ranges.put(range, true));
            return ranges;
        }
        existing.ifPresent(network -> {
            var cidrs = snapshot.subnets().stream()
                    .filter(subnet -> subnet.networkId().equals(network.id()))
                    .map(subnet -> Cidr.parse(subnet.cidr()))
                    .toList();
            cidrs.stream()
                    .filter(cidr -> !cidr.isIpv6())
                    .findFirst()
                    .or(() -> cidrs.stream().findFirst())
                    .ifPresentOrElse(cidr -> ranges.put(cidr, false), () -> faults.add(withoutSubnet(network)));
        });
        return ranges;
    }

    private Diagnostic withoutSubnet(Snapshot.Network network) {
        return Diagnostic.error(
                Code.OPENSTACK_NO_ADDRESS,
                "The network " + network.name() + " of " + snapshot.cloud()
                        + " has no subnet, so machines get no address on it.",
                "Name another in provider.openstack.network.existing, or leave it out: a network is made then.",
                "openstack subnet list");
    }

    private void allocate(Cidr range, boolean own, Map<String, IpAddress> named, Map<String, List<IpAddress>> given) {
        var free = own
                ? Addresses.ofOwn(range)
                : Addresses.ofShared(range, site.name().value());
        var machines = site.machines().keySet().stream()
                .flatMap(group -> site.machineNames(group).stream())
                .toList();
        var kept = kept(machines, range);
        used(own, new HashSet<>(kept.values())).forEach(free::use);
        kept.values().forEach(free::use);
        named.forEach((machine, address) -> {
            if (!address.equals(kept.get(machine))) {
                check(machine, address, range, free);
                free.use(address);
            }
        });
        int missing = 0;
        for (var machine : machines) {
            var address = Optional.ofNullable(named.get(machine))
                    .or(() -> Optional.ofNullable(kept.get(machine)))
                    .or(free::take);
            address.ifPresent(fixed ->
                    given.computeIfAbsent(machine, _ -> new ArrayList<>()).add(fixed));
            missing += address.isEmpty() ? 1 : 0;
        }
        if (missing > 0) {
            faults.add(Diagnostic.error(
                    Code.OPENSTACK_NO_ADDRESS,
                    "The subnet " + range + " has no free address for " + missing + " of the site's " + machines.size()
                            + " machines.",
                    own
                            ? "Take a larger range in provider.openstack.network.cidr."
                            : "Name another network in provider.openstack.network.existing."));
        }
    }

    private Map<String, IpAddress> kept(List<String> machines, Cidr range) {
        var kept = new HashMap<String, IpAddress>();
        for (var machine : machines) {
            owned.port(machine).stream()
                    .flatMap(port -> port.fixedIps().stream())
                    .map(fixed -> IpAddress.parse(fixed.address()))
                    .filter(range::contains)
                    .findFirst()
                    .ifPresent(address -> kept.put(machine, address));
        }
        return kept;
    }

    /** What others have on the network, as far as the project may see it. */
    private List<IpAddress> used(boolean own, Set<IpAddress> ours) {
        var network = own
                ? snapshot.networks().stream()
                        .filter(one -> owned.is(one.description(), Kinds.THE_NETWORK))
                        .findFirst()
                : existing;
        if (network.isEmpty()) {
            return List.of();
        }
        var used = new ArrayList<IpAddress>();
        snapshot.ports().stream()
                .filter(port -> port.networkId().equals(network.get().id()))
                .flatMap(port -> port.fixedIps().stream())
                .map(fixed -> IpAddress.parse(fixed.address()))
                .filter(address -> !ours.contains(address))
                .forEach(used::add);
        snapshot.subnets().stream()
                .filter(subnet -> subnet.networkId().equals(network.get().id())
                        && !subnet.gateway().isEmpty())
                .map(subnet -> IpAddress.parse(subnet.gateway()))
                .forEach(used::add);
        return used;
    }

    private void check(String machine, IpAddress address, Cidr range, Addresses free) {
        if (!free.contains(address)) {
            faults.add(Diagnostic.error(
                    Code.ADDRESS_UNUSABLE,
                    "The machine " + machine + " shall have " + address + ", which is outside the subnet " + range
                            + " of the network "
                            + existing.map(Snapshot.Network::name).orElse("that is made") + ".",
                    "Choose one inside it in provider.openstack.groups.*.addresses."));
        } else if (free.isUsed(address)) {
            faults.add(Diagnostic.error(
                    Code.ADDRESS_UNUSABLE,
                    "The machine " + machine + " shall have " + address + ", which something else on the network has.",
                    "Choose another in provider.openstack.groups.*.addresses. This shows who has it:",
                    "openstack port list --fixed-ip ip-address=" + address));
        }
    }
}
