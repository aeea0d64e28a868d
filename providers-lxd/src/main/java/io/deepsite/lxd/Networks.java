package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The family {@code /1.0/networks}. */
final class Networks {
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

    /** Empty for a network that is not there, or gives no addresses. */
    List<Network.Lease> leases(String name) {
        return rest.find(rest.path("networks", name, "leases"), Network.Lease[].class)
                .map(found -> List.of(found.value()))
                .orElse(List.of());
    }

    Optional<Network.State> state(String name) {
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
