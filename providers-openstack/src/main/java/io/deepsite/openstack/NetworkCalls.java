package io.deepsite.openstack;

import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Cidr;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Networks, subnets and routers. */
final class NetworkCalls {
    private static final String INTERFACES = "network:router_";

    private final TaggedResources things;

    NetworkCalls(TaggedResources things) {
        this.things = things;
    }

    void createNetwork(Resource desired, Tags tags) {
        if (things.find(desired.id(), desired.name(), tags).isEmpty()) {
            var body = named(desired, tags);
            Optional.ofNullable(desired.values().get(NetworkDesign.PROVIDER))
                    .ifPresent(provider -> body.putAll(external(provider)));
            var made = things.create(Family.NETWORKS, body);
            things.tag(Family.NETWORKS, Nodes.text(made, "id"), tags.site());
        }
    }

    /** @param provider {@code vlan physnet1 203} */
    private static Map<String, Object> external(String provider) {
        var body = new LinkedHashMap<String, Object>();
        var words = provider.split(" ");
        body.put("router:external", true);
        body.put("provider:network_type", words[0]);
        body.put("provider:physical_network", words[1]);
        if (words.length > 2) {
            body.put("provider:segmentation_id", Integer.parseInt(words[2]));
        }
        return body;
    }

    void createSubnet(Resource desired, Tags tags) {
        if (things.find(desired.id(), desired.name(), tags).isPresent()) {
            return;
        }
        var values = desired.values();
        var range = Cidr.parse(values.getOrDefault(NetworkDesign.CIDR, ""));
        var body = named(desired, tags);
        boolean outside = desired.id().equals(Kinds.EXTERNAL_SUBNET);
        body.put(
                "network_id",
                Nodes.text(things.need(outside ? Kinds.EXTERNAL_NETWORK : Kinds.THE_NETWORK, tags), "id"));
        body.put("cidr", range.toString());
        body.put("ip_version", range.isIpv6() ? 6 : 4);
        body.put("gateway_ip", values.getOrDefault(NetworkDesign.GATEWAY, ""));
        body.put("dns_nameservers", words(values.get(NetworkDesign.DNS)));
        var pool = values.getOrDefault(
                NetworkDesign.POOL, Addresses.firstOfNeutron(range) + "-" + Addresses.lastOfNeutron(range));
        var ends = pool.split("-", 2);
        body.put("allocation_pools", List.of(Map.of("start", ends[0], "end", ends[1])));
        if (outside) {
            body.put("enable_dhcp", false);
        }
        if (range.isIpv6()) {
            body.put("ipv6_address_mode", "dhcpv6-stateful");
            body.put("ipv6_ra_mode", "dhcpv6-stateful");
        }
        var made = things.create(Family.SUBNETS, body);
        things.tag(Family.SUBNETS, Nodes.text(made, "id"), tags.site());
    }

    void updateSubnet(ObservedResource seen, Resource desired) {
        var subnet = things.need(seen.id(), seen.tags());
        things.put(
                Family.SUBNETS,
                Nodes.text(subnet, "id"),
                Map.of("dns_nameservers", words(desired.values().get(NetworkDesign.DNS))));
    }

    /** Finishes one that has no interfaces yet. */
    void createRouter(Resource desired, Tags tags) {
        var router = things.find(desired.id(), desired.name(), tags);
        if (router.isEmpty()) {
            var body = named(desired, tags);
            body.put("external_gateway_info", Map.of("network_id", externalId(desired, tags)));
            router = Optional.of(things.create(Family.ROUTERS, body));
            things.tag(Family.ROUTERS, Nodes.text(router.get(), "id"), tags.site());
        }
        interfaces(router.get(), desired, tags);
    }

    void updateRouter(ObservedResource seen, Resource desired) {
        var router = things.need(seen.id(), seen.tags());
        var external = externalId(desired, seen.tags());
        if (!external.equals(Nodes.text(router.path("external_gateway_info"), "network_id"))) {
            things.put(
                    Family.ROUTERS,
                    Nodes.text(router, "id"),
                    Map.of("external_gateway_info", Map.of("network_id", external)));
        }
        interfaces(router, desired, seen.tags());
    }

    private void interfaces(JsonNode router, Resource desired, Tags tags) {
        var id = Nodes.text(router, "id");
        var wanted = new LinkedHashSet<String>();
        for (var key : words(desired.values().get(NetworkDesign.SUBNETS))) {
            wanted.add(Nodes.text(things.need(new ResourceId(Kinds.SUBNET, key), tags), "id"));
        }
        for (var port : things.list(Family.PORTS, "?device_id=" + id)) {
            port.path("fixed_ips").forEach(fixed -> wanted.remove(Nodes.text(fixed, "subnet_id")));
        }
        wanted.forEach(subnet -> things.act(Family.ROUTERS, id, "add_router_interface", Map.of("subnet_id", subnet)));
    }

    void deleteRouter(ObservedResource seen, Call call) {
        var router = things.find(seen);
        if (router.isEmpty()) {
            return;
        }
        var id = Nodes.text(router.get(), "id");
        for (var port : things.list(Family.PORTS, "?device_id=" + id)) {
            var owner = Nodes.text(port, "device_owner");
            // Distributed and highly available routers have interfaces of their own names.
            if (owner.startsWith(INTERFACES) && !owner.equals("network:router_gateway")) {
                removeInterface(id, Nodes.text(port, "id"));
            }
        }
        things.deleteById(Family.ROUTERS, id, seen.name(), call);
    }

    private void removeInterface(String router, String port) {
        try {
            things.act(Family.ROUTERS, router, "remove_router_interface", Map.of("port_id", port));
        } catch (Refusal refusal) {
            if (!refusal.isNotFound()) {
                throw refusal;
            }
        }
    }

    private String externalId(Resource router, Tags tags) {
        return id(router.values().getOrDefault(NetworkDesign.EXTERNAL, ""), tags);
    }

    /** Of a network that the site makes its name is given; of another {@code public 1b7c…}, the id last. */
    String id(String network, Tags tags) {
        return Stream.of(Kinds.THE_NETWORK, Kinds.EXTERNAL_NETWORK)
                .filter(ours -> network.equals(Kinds.name(tags.site(), ours)))
                .findFirst()
                .map(ours -> Nodes.text(things.need(ours, tags), "id"))
                .orElseGet(() -> lastWord(network));
    }

    static String lastWord(String text) {
        return text.substring(text.lastIndexOf(' ') + 1);
    }

    static List<String> words(@Nullable String text) {
        return text == null || text.isEmpty()
                ? List.of()
                : Stream.of(text.split(", ")).toList();
    }

    static Map<String, Object> named(Resource desired, Tags tags) {
        var body = new LinkedHashMap<String, Object>();
        body.put("name", desired.name());
        body.put("description", new Ownership(desired.id(), tags).text());
        return body;
    }
}
