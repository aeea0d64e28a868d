package io.deepsite.lxd;

import io.deepsite.parallel.Fanout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The family {@code /1.0/networks}. */
final class Networks {
    private static final int AT_ONCE = 8;

    private final Rest rest;

    Networks(Rest rest) {
        this.rest = rest;
    }

    List<Network> all() {
        return rest.list(rest.path("networks"), Network.class);
    }

    Optional<Rest.Etagged<Network>> find(String name) {
        return rest.find(rest.path("networks", name), Network.class);
    }

    /** Empty for a network that does not exist or assigns no addresses. */
    List<Network.Lease> leases(String name) {
        return rest.findAll(rest.path("networks", name, "leases"), Network.Lease.class);
    }

    /** IPv4 addresses with their prefix, by interface of the LXD host: both current and configured ones. */
    Map<String, List<String>> subnets(List<Network> of) {
        var subnets = new TreeMap<String, List<String>>();
        try (var fanout = new Fanout(AT_ONCE)) {
            var states = new LinkedHashMap<Network, Supplier<Optional<Network.State>>>();
            of.forEach(network -> states.put(network, fanout.start(() -> state(network.name()))));
            states.forEach((network, state) -> subnets.put(
                    network.name(),
                    Stream.concat(
                                    Stream.of(network.config().getOrDefault("ipv4.address", "none")),
                                    state.get().stream().flatMap(Network.State::ipv4))
                            .filter(cidr -> Subnet.parse(cidr).isPresent())
                            .distinct()
                            .toList()));
        }
        return subnets;
    }

    private Optional<Network.State> state(String name) {
        return rest.find(rest.path("networks", name, "state"), Network.State.class)
                .map(Rest.Etagged::value);
    }

    void create(String name, Map<String, String> config) {
        rest.send("POST", rest.path("networks"), Map.of("name", name, "type", "bridge", "config", config));
    }

    void set(String name, Map<String, String> config) {
        rest.send("PATCH", rest.path("networks", name), Map.of("config", config));
    }

    void delete(String name) {
        rest.delete(rest.path("networks", name));
    }
}
