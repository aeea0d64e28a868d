package io.deepsite.lxd;

import io.deepsite.provider.Scatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Allocates fixed addresses of a bridge's subnet, in order from a start that depends on the site: two sites that are
 * planned at the same time on one bridge would otherwise both get the lowest.
 */
final class Addresses {
    private final Subnet subnet;
    private final Set<Long> used = new HashSet<>();
    private final List<long[]> dynamicRanges = new ArrayList<>();
    private final long start;
    private long tried;

    /** @param seed determines the start */
    Addresses(Subnet subnet, String seed) {
        this.subnet = subnet;
        this.start = Scatter.below(hosts(subnet), seed);
        used.add(subnet.address());
    }

    /** Addresses that others on this network use or reserve. */
    static Addresses of(Subnet subnet, Network network, Snapshot snapshot, String seed) {
        var addresses = new Addresses(subnet, seed);
        snapshot.leases().stream().map(Network.Lease::address).forEach(addresses::use);
        for (var instance : snapshot.instances()) {
            instance.expandedDevices().values().stream()
                    .filter(device -> network.name().equals(device.get("network")))
                    .map(device -> device.getOrDefault("ipv4.address", ""))
                    .forEach(addresses::use);
        }
        for (var range : network.config().getOrDefault("ipv4.dhcp.ranges", "").split(",")) {
            addresses.avoid(range.strip());
        }
        return addresses;
    }

    void use(String address) {
        Subnet.number(address).ifPresent(used::add);
    }

    /** DHCP leases these to others: avoided while any other is free. */
    private void avoid(String range) {
        int hyphen = range.indexOf('-');
        if (hyphen > 0) {
            var from = Subnet.number(range.substring(0, hyphen).strip());
            var to = Subnet.number(range.substring(hyphen + 1).strip());
            if (from.isPresent() && to.isPresent()) {
                dynamicRanges.add(new long[] {from.get(), to.get()});
            }
        }
    }

    boolean isUsed(String address) {
        return Subnet.number(address).map(used::contains).orElse(false);
    }

    boolean contains(String address) {
        return Subnet.number(address).map(subnet::contains).orElse(false);
    }

    /** Empty when every address of the subnet is taken. */
    Optional<String> take() {
        for (; tried < hosts(subnet); tried++) {
            long address = subnet.first() + 1 + (start + tried) % hosts(subnet);
            if (!isDynamic(address) && used.add(address)) {
                return Optional.of(Subnet.text(address));
            }
        }
        return takeDynamic();
    }

    private Optional<String> takeDynamic() {
        for (var range : dynamicRanges) {
            for (long address = range[0]; address <= range[1] && subnet.contains(address); address++) {
                if (used.add(address)) {
                    return Optional.of(Subnet.text(address));
                }
            }
        }
        return Optional.empty();
    }

    /** Excludes the subnet's own and the broadcast address. */
    private static long hosts(Subnet subnet) {
        return subnet.size() - 2;
    }

    private boolean isDynamic(long address) {
        return dynamicRanges.stream().anyMatch(range -> address >= range[0] && address <= range[1]);
    }
}
