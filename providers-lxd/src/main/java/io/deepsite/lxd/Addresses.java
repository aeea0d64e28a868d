package io.deepsite.lxd;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Hands out fixed addresses of a bridge's subnet, lowest first, each once. */
final class Addresses {
    private final Subnet subnet;
    private final Set<Long> used = new HashSet<>();
    private final List<long[]> dynamicRanges = new ArrayList<>();
    private long next;

    Addresses(Subnet subnet) {
        this.subnet = subnet;
        this.next = subnet.first() + 1;
        used.add(subnet.address());
    }

    /** What others on this network have, or have fixed. */
    static Addresses of(Subnet subnet, Network network, Snapshot snapshot) {
        var addresses = new Addresses(subnet);
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

    /** DHCP hands these out to others: left out while there is anything else. */
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

    boolean contains(String address) {
        return Subnet.number(address).map(subnet::contains).orElse(false);
    }

    /** Empty when every address of the subnet is taken. */
    Optional<String> take() {
        for (; next < subnet.last(); next++) {
            if (!isDynamic(next) && used.add(next)) {
                return Optional.of(Subnet.text(next));
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

    private boolean isDynamic(long address) {
        return dynamicRanges.stream().anyMatch(range -> address >= range[0] && address <= range[1]);
    }
}
