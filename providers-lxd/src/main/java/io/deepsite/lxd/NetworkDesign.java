package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.AddressPool;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Scatter;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The bridge of a site, and the fixed addresses of its machines. A missing bridge is made. */
final class NetworkDesign {
    /** Most machines for which a /24 leaves room to grow. */
    private static final int SMALL_SITE = 200;

    /** The second byte of candidate subnets: 10.77 to 10.255. */
    private static final long FIRST_SUBNET = 77;

    private static final long SUBNETS = 256 - FIRST_SUBNET;

    private final Snapshot snapshot;
    private final Site site;
    private final Owned owned;
    private final List<Diagnostic> faults;
    private final Optional<Network> existing;
    private final Optional<Subnet> subnet;
    private final ResourceId id;

    NetworkDesign(Snapshot snapshot, String name, Site site, Owned owned, List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.site = site;
        this.owned = owned;
        this.faults = faults;
        this.id = new ResourceId(NetworkAttributes.KIND, name);
        this.existing = snapshot.network(name);
        this.subnet = existing.isPresent() ? subnetOf(existing.get()) : canBeMade() ? freeSubnet() : Optional.empty();
    }

    /** Empty for a bridge that deepsite did not make, or that cannot be used. */
    Optional<Resource> resource() {
        if (subnet.isEmpty()
                || existing.map(network -> !owned.has(network.config(), id)).orElse(false)) {
            return Optional.empty();
        }
        var attributes = new TreeMap<>(
                Map.of(NetworkAttributes.SUBNET, new Attribute(subnet.get().toString(), Mutability.REPLACE)));
        return Optional.of(new Resource(id, id.key(), attributes, List.of()));
    }

    /**
     * Addresses by machine: existing machines keep theirs. Empty if the bridge cannot be used.
     *
     * @param reserved addresses that no machine gets
     */
    Map<String, String> addresses(List<String> machines, List<IpAddress> reserved) {
        var given = new TreeMap<String, String>();
        if (subnet.isEmpty()) {
            return given;
        }
        var network = existing.orElse(new Network(id.key(), "bridge", true, "", Map.of(), List.of()));
        var free = Addresses.of(subnet.get(), network, snapshot, site.name().value());
        reserved.forEach(address -> reserve(address, free));
        for (var machine : machines) {
            owned.machine(machine)
                    .map(instance -> MachineAttributes.observed(instance).get(MachineAttributes.ADDRESS))
                    .filter(address ->
                            IpAddress.find(address).filter(free::contains).isPresent())
                    .ifPresent(address -> given.put(machine, address));
        }
        int missing = 0;
        for (var machine : machines) {
            if (!given.containsKey(machine)) {
                var address = free.take();
                address.ifPresent(fixed -> given.put(machine, fixed.toString()));
                missing += address.isEmpty() ? 1 : 0;
            }
        }
        if (missing > 0) {
            faults.add(Diagnostic.error(
                    Code.LXD_NO_ADDRESS,
                    "The network " + id.key() + " with the subnet " + subnet.get() + " has no free address for "
                            + missing + " machines.",
                    "Name a new network in " + setting() + "; deepsite makes it large enough for the site."));
        }
        return given;
    }

    private void reserve(IpAddress address, AddressPool free) {
        if (!free.contains(address)) {
            faults.add(Diagnostic.error(
                    Code.ADDRESS_UNUSABLE,
                    address + " is the shared address of several machines, but is not in the subnet "
                            + subnet.orElseThrow() + " of their network " + id.key() + ".",
                    "Choose a free address of that subnet."));
        } else if (free.isUsed(address)) {
            faults.add(Diagnostic.error(
                    Code.ADDRESS_UNUSABLE,
                    address + " is the shared address of several machines, but something on the network " + id.key()
                            + " already uses it.",
                    "Choose a free one; `" + snapshot.at().daemon().client("network list-leases " + id.key())
                            + "` lists those in use."));
        }
        free.use(address);
    }

    private Optional<Subnet> subnetOf(Network network) {
        if (!network.managed() || !network.type().equals("bridge")) {
            return unusable("is "
                    + (network.managed()
                            ? "a network of type " + network.type()
                            : "not managed by " + snapshot.at().daemon()));
        }
        if ("false".equals(network.config().get("ipv4.dhcp"))) {
            return unusable("has DHCP switched off (ipv4.dhcp), which gives the machines their fixed addresses");
        }
        var found = Subnet.parse(network.config().getOrDefault("ipv4.address", "none"));
        return found.isPresent() ? found : unusable("has no IPv4 subnet (ipv4.address)");
    }

    private boolean canBeMade() {
        if (snapshot.project().hasOwnNetworks()) {
            faults.add(Diagnostic.error(
                    Code.LXD_NETWORK_UNUSABLE,
                    "deepsite cannot make the network " + id.key() + ": the project "
                            + snapshot.project().name()
                            + " has its own networks, and " + snapshot.at().daemon()
                            + " makes only OVN networks there.",
                    "Make the project use the bridges of the default project; it must be empty for that:",
                    snapshot.at()
                            .daemon()
                            .client("project set " + snapshot.project().name() + " features.networks=false")));
            return false;
        }
        if (!snapshot.members().isEmpty()) {
            faults.add(Diagnostic.error(
                    Code.LXD_NETWORK_UNUSABLE,
                    "deepsite cannot make the network " + id.key() + ": " + snapshot.at() + " is a cluster of "
                            + snapshot.members().size() + " members, each with its own settings.",
                    "Make it there: once per member with --target, then once without. Or name an existing one."));
            return false;
        }
        return true;
    }

    private String setting() {
        return snapshot.at().daemon().setting("network");
    }

    private Optional<Subnet> unusable(String what) {
        faults.add(Diagnostic.error(
                Code.LXD_NETWORK_UNUSABLE,
                "The network " + id.key() + " at " + snapshot.at().endpoint() + " " + what + ".",
                "Name a bridge that " + snapshot.at().daemon() + " manages in " + setting()
                        + ", or a new name; deepsite then makes the bridge."));
        return Optional.empty();
    }

    /**
     * One of 10.77.0.0 … 10.255.0.0 that nothing on the LXD host uses. The search starts at a place that depends on the site:
     * two sites planned at the same time would otherwise choose the same, and {@link NetworkCalls} would refuse one.
     */
    private Optional<Subnet> freeSubnet() {
        int machines = site.machines().keySet().stream()
                .mapToInt(group -> site.machineNames(group).size())
                .sum();
        int prefix = machines <= SMALL_SITE ? 24 : 16;
        var used = Stream.concat(
                        snapshot.hostSubnets().stream(),
                        snapshot.networks().stream()
                                .map(network -> network.config().getOrDefault("ipv4.address", "none")))
                .flatMap(cidr -> Subnet.parse(cidr).stream())
                .toList();
        long start = Scatter.below(SUBNETS, site.name().value());
        for (long tried = 0; tried < SUBNETS; tried++) {
            long second = FIRST_SUBNET + (start + tried) % SUBNETS;
            var candidate = Subnet.parse("10." + second + ".0.1/" + prefix);
            if (candidate.isPresent() && used.stream().noneMatch(candidate.get()::overlaps)) {
                return candidate;
            }
        }
        faults.add(Diagnostic.error(
                Code.LXD_NETWORK_UNUSABLE,
                "deepsite cannot make the network " + id.key()
                        + ": every subnet from 10.77.0.0 to 10.255.0.0 is in use on "
                        + snapshot.at().daemon().host() + ".",
                "Make a bridge with a subnet of your choice, and name it in " + setting() + ":",
                snapshot.at()
                        .daemon()
                        .client("network create " + id.key()
                                + " ipv4.address=172.31.0.1/24 ipv4.nat=true ipv6.address=none")));
        return Optional.empty();
    }
}
