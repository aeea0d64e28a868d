package io.deepsite.openstack;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openstack4j.model.compute.Keypair;
import org.openstack4j.model.compute.ext.AvailabilityZone;
import org.openstack4j.model.network.NetFloatingIP;
import org.openstack4j.model.network.SecurityGroup;
import org.openstack4j.model.network.SecurityGroupRule;
import tools.jackson.databind.JsonNode;

/** What the services answer about one thing, as records. */
final class Read {
    private Read() {}

    static Snapshot.Server server(JsonNode node) {
        var metadata = Nodes.map(node, "metadata");
        return new Snapshot.Server(
                Nodes.text(node, "id"),
                Nodes.text(node, "name"),
                Nodes.text(node, "status"),
                metadata,
                Nodes.text(node.path("flavor"), "original_name"),
                Nodes.text(node, "config_drive").equalsIgnoreCase("true"),
                node.path("os-extended-volumes:volumes_attached")
                        .valueStream()
                        .map(volume -> Nodes.text(volume, "id"))
                        .toList(),
                !Nodes.text(node, "OS-SRV-USG:launched_at").isEmpty(),
                Nodes.text(node, "OS-EXT-AZ:availability_zone"),
                Nodes.text(node.path("fault"), "message"));
    }

    static Snapshot.Flavor flavor(JsonNode node) {
        return new Snapshot.Flavor(
                Nodes.text(node, "id"),
                Nodes.text(node, "name"),
                Nodes.number(node, "vcpus"),
                Nodes.number(node, "ram"),
                Nodes.number(node, "disk"),
                Nodes.map(node, "extra_specs"),
                Nodes.text(node, "description"));
    }

    static Snapshot.ServerGroup serverGroup(JsonNode node) {
        return new Snapshot.ServerGroup(Nodes.text(node, "id"), Nodes.text(node, "name"), Nodes.text(node, "policy"));
    }

    /** Empty for a zone that is not available. */
    static Optional<String> zone(AvailabilityZone zone) {
        var state = zone.getZoneState();
        return state != null && state.getAvailable() ? Optional.ofNullable(zone.getZoneName()) : Optional.empty();
    }

    static Snapshot.Image image(JsonNode node) {
        var properties = new TreeMap<String, String>();
        node.properties().forEach(entry -> {
            if (entry.getValue().isString()) {
                properties.put(entry.getKey(), entry.getValue().asString());
            }
        });
        return new Snapshot.Image(
                Nodes.text(node, "id"),
                Nodes.text(node, "name"),
                Nodes.text(node, "status"),
                Nodes.number(node, "min_disk"),
                Nodes.number(node, "min_ram"),
                node.path("size").asLong(0),
                properties);
    }

    static Snapshot.Network network(JsonNode node) {
        return new Snapshot.Network(
                Nodes.text(node, "id"),
                Nodes.text(node, "name"),
                Nodes.text(node, "description"),
                node.path("router:external").asBoolean(false),
                Stream.of("network_type", "physical_network", "segmentation_id")
                        .map(key -> Nodes.text(node, "provider:" + key))
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining(" ")));
    }

    static Snapshot.Subnet subnet(JsonNode node) {
        return new Snapshot.Subnet(
                Nodes.text(node, "id"),
                Nodes.text(node, "name"),
                Nodes.text(node, "description"),
                Nodes.text(node, "network_id"),
                Nodes.text(node, "cidr"),
                Nodes.text(node, "gateway_ip"),
                Nodes.texts(node, "dns_nameservers"),
                node.path("allocation_pools")
                        .valueStream()
                        .map(pool -> Nodes.text(pool, "start") + "-" + Nodes.text(pool, "end"))
                        .toList());
    }

    static Snapshot.Router router(JsonNode node) {
        return new Snapshot.Router(
                Nodes.text(node, "id"),
                Nodes.text(node, "name"),
                Nodes.text(node, "description"),
                Nodes.text(node.path("external_gateway_info"), "network_id"));
    }

    static Snapshot.Port port(JsonNode node) {
        return new Snapshot.Port(
                Nodes.text(node, "id"),
                Nodes.text(node, "name"),
                Nodes.text(node, "description"),
                Nodes.text(node, "network_id"),
                Nodes.text(node, "device_id"),
                Nodes.text(node, "device_owner"),
                node.path("fixed_ips")
                        .valueStream()
                        .map(fixed ->
                                new Snapshot.FixedIp(Nodes.text(fixed, "subnet_id"), Nodes.text(fixed, "ip_address")))
                        .toList(),
                Nodes.texts(node, "security_groups"));
    }

    static Snapshot.SecurityGroup securityGroup(SecurityGroup group) {
        return new Snapshot.SecurityGroup(
                text(group.getId()),
                text(group.getName()),
                text(group.getDescription()),
                list(group.getRules()).stream().map(Read::rule).toList());
    }

    private static Snapshot.Rule rule(SecurityGroupRule rule) {
        return new Snapshot.Rule(
                text(rule.getId()),
                text(rule.getDirection()),
                text(rule.getEtherType()),
                text(rule.getProtocol()),
                text(rule.getPortRangeMin()),
                text(rule.getPortRangeMax()),
                text(rule.getRemoteIpPrefix()),
                text(rule.getRemoteGroupId()));
    }

    static Snapshot.FloatingIp floatingIp(NetFloatingIP floating) {
        return new Snapshot.FloatingIp(
                text(floating.getId()),
                text(floating.getFloatingIpAddress()),
                text(floating.getDescription()),
                text(floating.getFloatingNetworkId()),
                text(floating.getPortId()));
    }

    static Snapshot.Keypair keypair(Keypair keypair) {
        return new Snapshot.Keypair(text(keypair.getName()));
    }

    /** openstack4j has null for what an answer lacks. */
    static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static <T> List<T> list(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    static Snapshot.Volume volume(JsonNode node) {
        return new Snapshot.Volume(
                Nodes.text(node, "id"),
                Nodes.text(node, "name"),
                Nodes.text(node, "status"),
                Nodes.number(node, "size"),
                Nodes.text(node, "volume_type"),
                Map.copyOf(Nodes.map(node, "metadata")),
                node.path("attachments")
                        .valueStream()
                        .map(attachment -> Nodes.text(attachment, "server_id"))
                        .toList());
    }
}
