package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
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

/** The bridge of a site, made when missing, and the fixed addresses of its machines. */
final class NetworkDesign {
    /** Most machines for which a /24 leaves room to grow. */
    private static final int SMALL_SITE = 200;

    /** The second number of the subnets that are tried: 10.77 to 10.255. */
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

    /** Empty for a bridge that is not ours, or cannot be used. */
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
     * By machine: those that exist keep theirs. Empty when the bridge cannot be used.
     *
     * @param reserved no machine gets one of these
     */
    Map<String, String> addresses(List<String> machines, List<IpAddress> reserved) {
        var given = new TreeMap<String, String>();
        if (subnet.isEmpty()) {
            return given;
        }
        var network = existing.orElse(new Network(id.key(), "bridge", true, "", Map.of(), List.of()));
        var free = Addresses.of(subnet.get(), network, snapshot, site.name().value());
        reserved.forEach(address -> reserve(address.toString(), free));
        for (var machine : machines) {
            owned.machine(machine)
                    .map(instance -> MachineAttributes.observed(instance).get(MachineAttributes.ADDRESS))
                    .filter(free::contains)
                    .ifPresent(address -> given.put(machine, address));
        }
        int missing = 0;
        for (var machine : machines) {
            if (!given.containsKey(machine)) {
                var address = free.take();
                address.ifPresent(fixed -> given.put(machine, fixed));
                missing += address.isEmpty() ? 1 : 0;
            }
        }
        if (missing > 0) {
            faults.add(Diagnostic.error(
                    Code.LXD_NO_ADDRESS,
                    "The network " + id.key() + " has the subnet " + subnet.get() + ", and " + missing
                            + " machines find no free address in it.",
                    "Name another network in provider.lxd.network: deepsite makes it, large enough for the site."));
        }
        return given;
    }

    private void reserve(String address, Addresses free) {
        if (!free.contains(address)) {
            faults.add(Diagnostic.error(
                    Code.ADDRESS_UNUSABLE,
                    address + " is to be the address of several machines, and does not lie in the subnet "
                            + subnet.orElseThrow() + " of their network " + id.key() + ".",
                    "Choose a free one of that subnet."));
        } else if (free.isUsed(address)) {
            faults.add(Diagnostic.error(
                    Code.ADDRESS_UNUSABLE,
                    address + " is to be the address of several machines, and something on the network " + id.key()
                            + " has it already.",
                    "Choose a free one; `lxc network list-leases " + id.key() + "` lists those in use."));
        }
        free.use(address);
    }

    private Optional<Subnet> subnetOf(Network network) {
        if (!network.managed() || !network.type().equals("bridge")) {
            return unusable("is " + (network.managed() ? "a network of type " + network.type() : "not managed by LXD"));
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
                    "The network " + id.key() + " has to be made, and the project "
                            + snapshot.project().name() + " has networks of its own, where LXD makes none but OVN's.",
                    "Let the project use the bridges of the default one, which takes that it is empty:",
                    "lxc project set " + snapshot.project().name() + " features.networks=false"));
            return false;
        }
        if (!snapshot.members().isEmpty()) {
            faults.add(Diagnostic.error(
                    Code.LXD_NETWORK_UNUSABLE,
                    "The network " + id.key() + " has to be made, and LXD at " + snapshot.endpoint()
                            + " is a cluster of " + snapshot.members().size() + ", where each member is asked apart.",
                    "Make it there, on every member with --target and then once without; or name one that is there."));
            return false;
        }
        return true;
    }

    private Optional<Subnet> unusable(String what) {
        faults.add(
                Diagnostic.error(
                        Code.LXD_NETWORK_UNUSABLE,
                        "The network " + id.key() + " at " + snapshot.endpoint() + " " + what + ".",
                        "Name a bridge that LXD manages in provider.lxd.network, or one that does not exist: deepsite makes it."));
        return Optional.empty();
    }

    /**
     * One of 10.77.0.0 … 10.255.0.0 that nothing on the LXD host uses. Each site begins to look somewhere else: two that are
     * planned at the same time would otherwise choose the same, and {@link NetworkCalls} would refuse one of them.
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
            var candidate = new Subnet((10L << 24) + (second << 16) + 1, prefix);
            if (used.stream().noneMatch(candidate::overlaps)) {
                return Optional.of(candidate);
            }
        }
        faults.add(Diagnostic.error(
                Code.LXD_NETWORK_UNUSABLE,
                "The network " + id.key()
                        + " has to be made, and every subnet from 10.77.0.0 to 10.255.0.0 is in use on"
                        + " the LXD host.",
                "Make a bridge with a subnet of your choice, and name it in provider.lxd.network:",
                "lxc network create " + id.key() + " ipv4.address=172.31.0.1/24 ipv4.nat=true ipv6.address=none"));
        return Optional.empty();
    }
}
