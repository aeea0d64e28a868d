package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.AddressPool;
import io.deepsite.provider.AddressPool.Span;
import io.deepsite.provider.GivenAddresses;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The virtual network of a site, made or found, and the addresses of its machines. */
final class NetworkDesign {
    static final String CIDR = "cidr";
    static final String DRIVER = "driver";
    static final String BRIDGE = "bridge";
    static final String DEVICE = "device";
    static final String VLAN = "vlan";
    static final String GATEWAY = "gateway";
    static final String DNS = "dns";
    static final String GROUPS = "SECURITY_GROUPS";
    /** Seen while the network has OpenNebula's own security group; never desired. */
    static final String OPEN = "security-group-0";

    static final List<String> NOTED = List.of(CIDR, DRIVER, BRIDGE, DEVICE, VLAN);

    private final Snapshot snapshot;
    private final Site site;
    private final OpenNebulaNetwork settings;
    private final Requirements requirements;
    private final Owned owned;
    private final List<Diagnostic> faults;
    private final Optional<Snapshot.Network> existing;

    NetworkDesign(
            Snapshot snapshot,
            Site site,
            OpenNebulaNetwork settings,
            Requirements requirements,
            Owned owned,
            List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.site = site;
        this.settings = settings;
        this.requirements = requirements;
        this.owned = owned;
        this.faults = faults;
        this.existing = settings.existing().flatMap(this::find);
    }

    private Optional<Snapshot.Network> find(String name) {
        var found = Snapshot.find(snapshot.networks(), name);
        if (found.isEmpty()) {
            faults.add(new MissingReference(snapshot.front())
                    .thing(
                            Code.OPENNEBULA_NETWORK_MISSING,
                            "provider.opennebula.network.existing",
                            "virtual network",
                            name,
                            snapshot.networks(),
                            "Name one that this user may use, or remove the key; deepsite then makes a network.",
                            "onevnet list"));
        }
        return found;
    }

    /** The network and its guard; empty if the site uses an existing network. */
    List<Resource> resources() {
        if (settings.existing().isPresent()) {
            return List.of();
        }
        var attributes = new TreeMap<String, Attribute>();
        attributes.put(CIDR, new Attribute(settings.cidr().toString(), Mutability.REPLACE));
        attributes.put(DRIVER, new Attribute(settings.driver(), Mutability.REPLACE));
        settings.bridge().ifPresent(name -> attributes.put(BRIDGE, new Attribute(name, Mutability.REPLACE)));
        settings.device().ifPresent(name -> attributes.put(DEVICE, new Attribute(name, Mutability.REPLACE)));
        settings.vlan().ifPresent(id -> attributes.put(VLAN, new Attribute(String.valueOf(id), Mutability.REPLACE)));
        settings.gateway()
                .ifPresent(gateway -> attributes.put(GATEWAY, new Attribute(gateway.toString(), Mutability.IN_PLACE)));
        var dns = settings.dns().stream().map(IpAddress::toString).collect(Collectors.joining(" "));
        if (!dns.isEmpty()) {
            attributes.put(DNS, new Attribute(dns, Mutability.IN_PLACE));
        }
        return List.of(
                resource(Kinds.THE_GUARD, new TreeMap<>(), List.of()),
                resource(Kinds.THE_NETWORK, attributes, List.of(Kinds.THE_GUARD)));
    }

    private Resource resource(ResourceId id, SortedMap<String, Attribute> attributes, List<ResourceId> dependsOn) {
        return new Resource(id, Kinds.name(site.name(), id), attributes, dependsOn);
    }

    static SortedMap<String, String> observed(Snapshot.Network network) {
        var seen = new TreeMap<>(Noted.seen(network.asked(), NOTED));
        for (var entry : Map.of(GATEWAY, "GATEWAY", DNS, "DNS").entrySet()) {
            var value = network.template().getOrDefault(entry.getValue(), "");
            if (!value.isEmpty()) {
                seen.put(entry.getKey(), value);
            }
        }
        if (List.of(network.template().getOrDefault(GROUPS, "").split(",")).contains("0")) {
            seen.put(OPEN, "allows everything in");
        }
        return seen;
    }

    /** The resources that a machine's network interface needs. */
    List<ResourceId> needs() {
        return settings.existing().isPresent() ? List.of() : List.of(Kinds.THE_NETWORK);
    }

    /** The network attribute of machines: with its id, because names are not unique. */
    String words() {
        return existing.map(network -> network.name() + " " + network.id())
                .orElse(Kinds.name(site.name(), Kinds.THE_NETWORK));
    }

    Optional<Snapshot.Network> existing() {
        return existing;
    }

    /** Addresses by machine: existing machines keep theirs, others get the one that site.yaml names, or a free one. */
    Map<String, IpAddress> addresses(Map<Name, OpenNebulaMachines> groups) {
        var given = new TreeMap<String, IpAddress>();
        if (settings.existing().isPresent() && existing.isEmpty()) {
            return given;
        }
        var pool = existing.map(this::shared).orElseGet(() -> AddressPool.ofOwn(machines(settings.cidr())));
        var machines = site.machines().keySet().stream()
                .flatMap(group -> site.machineNames(group).stream())
                .toList();
        var kept = kept(machines, pool);
        var leased = leased(new HashSet<>(kept.values()));
        leased.forEach(pool::use);
        settings.gateway().filter(_ -> existing.isEmpty()).ifPresent(pool::use);
        requirements.addresses().forEach(pool::use);
        var named = GivenAddresses.of(site, groups, OpenNebulaMachines::addresses);
        named.forEach((machine, address) -> {
            if (!address.equals(kept.get(machine))) {
                check(machine, address, pool);
            }
        });
        named.values().forEach(pool::use);
        kept.values().forEach(pool::use);
        int missing = 0;
        for (var machine : machines) {
            var address = Optional.ofNullable(named.get(machine))
                    .or(() -> Optional.ofNullable(kept.get(machine)))
                    .or(pool::take);
            address.ifPresent(one -> given.put(machine, one));
            missing += address.isEmpty() ? 1 : 0;
        }
        if (missing > 0) {
            faults.add(exhausted(pool, leased.size(), missing, machines.size()));
        }
        return given;
    }

    private AddressPool shared(Snapshot.Network network) {
        return AddressPool.ofShared(
                network.ranges().stream()
                        .filter(range -> !range.first().isIpv6())
                        .map(range -> new Span(range.first(), range.size()))
                        .toList(),
                List.of(),
                site.name().value());
    }

    /** All but the range's own and the broadcast address. */
    static Span machines(Cidr range) {
        return new Span(range.at(BigInteger.ONE), range.size().longValueExact() - 2);
    }

    private Diagnostic exhausted(AddressPool pool, int leased, int missing, int machines) {
        return existing.map(network -> Diagnostic.error(
                        Code.OPENNEBULA_NO_ADDRESS,
                        "The virtual network " + network.name() + " of " + snapshot.front()
                                + (pool.size() == 0
                                        ? " has no range of IPv4 addresses"
                                        : " has " + pool.size() + " addresses, of which " + leased + " are leased")
                                + "; " + missing + " of the site's " + machines + " machines would get none.",
                        "Add an address range to it, or name another network.",
                        "onevnet addar " + network.id() + " --ip FIRST --size N"))
                .orElseGet(() -> Diagnostic.error(
                        Code.OPENNEBULA_NO_ADDRESS,
                        "The network " + settings.cidr() + " has no free address for " + missing + " of the site's "
                                + machines + " machines.",
                        "Set a larger range in provider.opennebula.network.cidr."));
    }

    private Map<String, IpAddress> kept(List<String> machines, AddressPool pool) {
        var kept = new HashMap<String, IpAddress>();
        for (var machine : machines) {
            owned.vm(machine).stream()
                    .flatMap(vm -> vm.nics().stream())
                    .flatMap(nic -> Read.address(nic.address()).stream())
                    .filter(pool::contains)
                    .findFirst()
                    .ifPresent(address -> kept.put(machine, address));
        }
        return kept;
    }

    /** Addresses that others have on the network. */
    private List<IpAddress> leased(Set<IpAddress> ours) {
        return existing
                .or(() -> snapshot.networks().stream()
                        .filter(network -> network.ownership()
                                .filter(found -> found.isOf(Kinds.THE_NETWORK, site.name()))
                                .isPresent())
                        .findFirst())
                .stream()
                .flatMap(network -> network.ranges().stream())
                .flatMap(range -> range.leased().stream())
                .filter(address -> !ours.contains(address))
                .toList();
    }

    private void check(String machine, IpAddress address, AddressPool pool) {
        var where = existing.map(Snapshot.Network::name).orElse("that is made");
        if (!pool.contains(address)) {
            faults.add(Diagnostic.error(
                    Code.ADDRESS_UNUSABLE,
                    "The machine " + machine + " has the address " + address
                            + ", which is in no address range of the virtual network " + where + ".",
                    "Choose an address of its ranges in provider.opennebula.groups.*.addresses."));
        } else if (pool.isUsed(address)) {
            faults.add(Diagnostic.error(
                    Code.ADDRESS_UNUSABLE,
                    "The machine " + machine + " has the address " + address
                            + ", which something else on the virtual network " + where + " already uses.",
                    "Choose another in provider.opennebula.groups.*.addresses."));
        }
    }
}
