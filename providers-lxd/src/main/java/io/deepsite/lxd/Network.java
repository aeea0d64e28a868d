package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A network interface of the LXD host as LXD lists it.
 *
 * @param managed whether LXD made it, or only lists it
 */
record Network(
        String name, String type, boolean managed, String status, Map<String, String> config, List<String> usedBy) {
    Network(
            String name,
            @Nullable String type,
            boolean managed,
            @Nullable String status,
            @Nullable Map<String, String> config,
            @Nullable List<String> usedBy) {
        this.name = Objects.requireNonNull(name);
        this.type = Objects.requireNonNullElse(type, "");
        this.managed = managed;
        this.status = Objects.requireNonNullElse(status, "");
        this.config = Objects.requireNonNullElse(config, Map.of());
        this.usedBy = Objects.requireNonNullElse(usedBy, List.of());
    }

    /** An address in use on a network. */
    record Lease(String hostname, String address, String type) {}

    /** The addresses of one interface. */
    record State(List<Address> addresses) {
        State(@Nullable List<Address> addresses) {
            this.addresses = Objects.requireNonNullElse(addresses, List.of());
        }

        /** Addresses with their prefix. */
        Stream<String> ipv4() {
            return addresses.stream()
                    .filter(address -> address.family().equals("inet"))
                    .map(address -> address.address() + "/" + address.netmask());
        }

        /**
         * @param family {@code inet} or {@code inet6}
         * @param netmask length of the prefix
         */
        record Address(String family, String address, String netmask) {}
    }
}
