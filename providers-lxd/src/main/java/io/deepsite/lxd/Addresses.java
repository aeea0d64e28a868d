package io.deepsite.lxd;

import io.deepsite.provider.AddressPool;
import io.deepsite.provider.AddressPool.Span;
import io.deepsite.site.IpAddress;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The addresses of a bridge's subnet: which are used, and which its DHCP server gives to others. */
final class Addresses {
    private Addresses() {}

    static AddressPool of(Subnet subnet, Network network, Snapshot snapshot, String seed) {
        var range = subnet.range();
        var pool = AddressPool.ofShared(
                List.of(new Span(range.at(BigInteger.ONE), range.size().longValueExact() - 2)), dynamic(network), seed);
        pool.use(subnet.address());
        var leases = snapshot.leases().stream().map(Network.Lease::address);
        var fixed = snapshot.instances().stream()
                .flatMap(instance -> instance.expandedDevices().values().stream())
                .filter(device -> network.name().equals(device.get("network")))
                .map(device -> device.getOrDefault("ipv4.address", ""));
        Stream.concat(leases, fixed)
                .flatMap(address -> IpAddress.find(address).stream())
                .forEach(pool::use);
        return pool;
    }

    private static List<Span> dynamic(Network network) {
        return Stream.of(network.config().getOrDefault("ipv4.dhcp.ranges", "").split(","))
                .flatMap(range -> span(range).stream())
                .toList();
    }

    /** Empty unless it is {@code 10.0.0.2-10.0.0.9}. */
    private static Optional<Span> span(String range) {
        var ends = range.split("-", 2);
        if (ends.length < 2) {
            return Optional.empty();
        }
        var from = IpAddress.find(ends[0].strip());
        var to = IpAddress.find(ends[1].strip());
        return from.isPresent() && to.isPresent() ? Optional.of(Span.between(from.get(), to.get())) : Optional.empty();
    }
}
