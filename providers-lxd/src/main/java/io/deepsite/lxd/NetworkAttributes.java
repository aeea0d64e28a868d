package io.deepsite.lxd;

import io.deepsite.provider.Resource;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The one attribute of a bridge: {@code subnet}, its own address with the prefix. */
final class NetworkAttributes {
    static final String KIND = "network";
    static final String SUBNET = "subnet";

    private NetworkAttributes() {}

    static SortedMap<String, String> observed(Network network) {
        var subnet = network.config().get("ipv4.address");
        return subnet == null ? new TreeMap<>() : new TreeMap<>(Map.of(SUBNET, subnet));
    }

    static Map<String, String> config(Resource network) {
        return Map.of(
                "ipv4.address", network.values().getOrDefault(SUBNET, "auto"),
                "ipv4.nat", "true",
                "ipv6.address", "none");
    }
}
