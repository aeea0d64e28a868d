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
import org.openstack4j.model.network.AttachInterfaceType;

/** Networks, subnets and routers; and the description of everything in Neutron. */
final class NetworkCalls {
    private static final String INTERFACES = "network:router_";

    private final Cloud cloud;
    private final Neutron neutron;
    private final TaggedResources things;

    NetworkCalls(Cloud cloud, Neutron neutron, TaggedResources things) {
        this.cloud = cloud;
        this.neutron = neutron;
        this.things = things;
    }

    /** Writes the text that holds our tags. */
    void describe(ObservedResource seen, String text) {
        var kind = seen.id().kind();
        things.find(Family.of(kind), seen)
                .ifPresent(one -> neutron.update(kind, one.id(), Map.of("description", text)));
    }

    void createNetwork(Resource desired, Tags tags) {
        if (!things.exists(desired, tags)) {
            var body = named(desired, tags);
            Optional.ofNullable(desired.values().get(NetworkDesign.PROVIDER))
                    .ifPresent(provider -> body.putAll(external(provider)));
            neutron.create(Kinds.NETWORK, body, tags.site());
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
        if (things.exists(desired, tags)) {
            return;
        }
        var values = desired.values();
        var range = Cidr.parse(values.getOrDefault(NetworkDesign.CIDR, ""));
        var body = named(desired, tags);
        boolean outside = desired.id().equals(Kinds.EXTERNAL_SUBNET);
        body.put("network_id", things.id(outside ? Kinds.EXTERNAL_NETWORK : Kinds.THE_NETWORK, tags));
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
        neutron.create(Kinds.SUBNET, body, tags.site());
    }

    void updateSubnet(ObservedResource seen, Resource desired) {
        neutron.update(
                Kinds.SUBNET,
                things.id(seen.id(), seen.tags()),
                Map.of("dns_nameservers", words(desired.values().get(NetworkDesign.DNS))));
    }

    /** Also adds the interfaces that an existing router lacks. */
    void createRouter(Resource desired, Tags tags) {
        var found =
                things.find(Family.ROUTERS, desired.id(), desired.name(), tags).map(Snapshot.Router::id);
        if (found.isPresent()) {
            addInterfaces(found.get(), desired, tags);
            return;
        }
        var body = named(desired, tags);
        body.put("external_gateway_info", Map.of("network_id", externalId(desired, tags)));
        addInterfaces(neutron.create(Kinds.ROUTER, body, tags.site()), desired, tags);
    }

    void updateRouter(ObservedResource seen, Resource desired) {
        var router = things.need(Family.ROUTERS, seen.id(), seen.tags());
        var external = externalId(desired, seen.tags());
        if (!external.equals(router.externalNetworkId())) {
            neutron.update(Kinds.ROUTER, router.id(), Map.of("external_gateway_info", Map.of("network_id", external)));
        }
        addInterfaces(router.id(), desired, seen.tags());
    }

    private void addInterfaces(String router, Resource desired, Tags tags) {
        var wanted = new LinkedHashSet<String>();
        for (var key : words(desired.values().get(NetworkDesign.SUBNETS))) {
            wanted.add(things.id(new ResourceId(Kinds.SUBNET, key), tags));
        }
        ports(router).forEach(port -> port.fixedIps().forEach(fixed -> wanted.remove(fixed.subnetId())));
        wanted.forEach(subnet ->
                cloud.client().networking().router().attachInterface(router, AttachInterfaceType.SUBNET, subnet));
    }

    private List<Snapshot.Port> ports(String router) {
        return Family.PORTS.list(cloud, Map.of("device_id", router));
    }

    void deleteRouter(ObservedResource seen, Call call) {
        things.find(Family.ROUTERS, seen).ifPresent(router -> {
            for (var port : ports(router.id())) {
                var owner = port.deviceOwner();
                // Distributed and highly available routers have interfaces with owners of other names.
                if (owner.startsWith(INTERFACES) && !owner.equals("network:router_gateway")) {
                    Refusal.found(
                            () -> cloud.client().networking().router().detachInterface(router.id(), null, port.id()));
                }
            }
            things.deleteById(Family.ROUTERS, router.id(), seen.name(), call);
        });
    }

    private String externalId(Resource router, Tags tags) {
        return id(router.values().getOrDefault(NetworkDesign.EXTERNAL, ""), tags);
    }

    /** @param network the name of a network that the site creates, or name and id of another one: {@code public 1b7c…} */
    String id(String network, Tags tags) {
        return Stream.of(Kinds.THE_NETWORK, Kinds.EXTERNAL_NETWORK)
                .filter(ours -> network.equals(Kinds.name(tags.site(), ours)))
                .findFirst()
                .map(ours -> things.id(ours, tags))
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
