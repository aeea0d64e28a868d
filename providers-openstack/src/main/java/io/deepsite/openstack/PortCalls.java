package io.deepsite.openstack;

import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Ports, floating IPs, security groups and their rules. */
final class PortCalls {
    private final Api api;
    private final TaggedResources things;
    private final NetworkCalls networks;

    PortCalls(Api api, TaggedResources things, NetworkCalls networks) {
        this.api = api;
        this.networks = networks;
        this.things = things;
    }

    void createPort(Resource desired, Tags tags) {
        if (things.find(desired.id(), desired.name(), tags).isPresent()) {
            return;
        }
        var values = desired.values();
        var body = NetworkCalls.named(desired, tags);
        body.put("network_id", networks.id(values.getOrDefault(PortAttributes.NETWORK, ""), tags));
        body.put(
                "fixed_ips",
                NetworkCalls.words(values.get(PortAttributes.ADDRESS)).stream()
                        .map(address -> Map.of("ip_address", address))
                        .toList());
        body.put("security_groups", groups(values.get(PortAttributes.SECURITY_GROUPS), tags));
        var made = things.create(Family.PORTS, body);
        things.tag(Family.PORTS, Nodes.text(made, "id"), tags.site());
    }

    void updatePort(ObservedResource seen, Resource desired) {
        var port = things.need(seen.id(), seen.tags());
        things.put(
                Family.PORTS,
                Nodes.text(port, "id"),
                Map.of("security_groups", groups(desired.values().get(PortAttributes.SECURITY_GROUPS), seen.tags())));
    }

    /** Ours by name, others by the id that stands behind the name. */
    private List<String> groups(@Nullable String text, Tags tags) {
        var ids = new ArrayList<String>();
        var prefix = "ds-" + tags.site() + "-";
        for (var group : NetworkCalls.words(text)) {
            ids.add(
                    group.contains(" ")
                            ? NetworkCalls.lastWord(group)
                            : Nodes.text(
                                    things.need(
                                            new ResourceId(Kinds.SECURITY_GROUP, group.substring(prefix.length())),
                                            tags),
                                    "id"));
        }
        return ids;
    }

    void createFloatingIp(Resource desired, Tags tags) {
        var found = things.find(desired.id(), desired.name(), tags);
        if (found.isPresent()) {
            join(found.get(), desired, tags);
            return;
        }
        var body = new HashMap<String, Object>();
        body.put("floating_network_id", networks.id(desired.values().getOrDefault(PortAttributes.NETWORK, ""), tags));
        body.put("port_id", port(desired, tags));
        body.put("description", new Ownership(desired.id(), tags).text());
        var made = things.create(Family.FLOATING_IPS, body);
        things.tag(Family.FLOATING_IPS, Nodes.text(made, "id"), tags.site());
    }

    void updateFloatingIp(ObservedResource seen, Resource desired) {
        join(things.need(seen.id(), seen.tags()), desired, seen.tags());
    }

    /** The cloud chose it when it was made. */
    Optional<String> floatingAddress(String machine, Name site) {
        var id = Kinds.floatingIp(machine);
        return api
                .list(Service.NETWORK, Family.FLOATING_IPS.path(), Family.FLOATING_IPS.many(), Read::floatingIp)
                .stream()
                .filter(floating -> Ownership.of(floating.description())
                        .filter(found ->
                                found.id().equals(id) && found.tags().site().equals(site))
                        .isPresent())
                .map(Snapshot.FloatingIp::address)
                .findFirst();
    }

    private void join(JsonNode floating, Resource desired, Tags tags) {
        var port = port(desired, tags);
        if (!port.equals(Nodes.text(floating, "port_id"))) {
            things.put(Family.FLOATING_IPS, Nodes.text(floating, "id"), Map.of("port_id", port));
        }
    }

    private String port(Resource floating, Tags tags) {
        var machine = floating.values().getOrDefault(PortAttributes.PORT, "");
        return Nodes.text(things.need(Kinds.port(machine), tags), "id");
    }

    void createSecurityGroup(Resource desired, Tags tags) {
        if (things.find(desired.id(), desired.name(), tags).isEmpty()) {
            var made = things.create(Family.SECURITY_GROUPS, NetworkCalls.named(desired, tags));
            things.tag(Family.SECURITY_GROUPS, Nodes.text(made, "id"), tags.site());
        }
    }

    /** Adds the rules that are missing and deletes those that nobody asked for. */
    void setRules(Resource desired, Tags tags) {
        var group =
                things.need(new ResourceId(Kinds.SECURITY_GROUP, desired.id().key()), tags);
        var id = Nodes.text(group, "id");
        var wanted = new ArrayList<>(Rules.parse(desired.values().getOrDefault(Rules.RULES, "")));
        var ids = new HashMap<String, String>();
        wanted.stream()
                .map(Rules.Rule::from)
                .filter(from -> from.startsWith(Rules.Rule.GROUP))
                .distinct()
                .forEach(from -> ids.put(from, groupId(from, tags)));
        for (var rule : Read.securityGroup(group).rules()) {
            if (rule.direction().equals("ingress")) {
                var match =
                        wanted.stream().filter(one -> isSame(one, rule, ids)).findFirst();
                if (match.isPresent()) {
                    wanted.remove(match.get());
                } else {
                    deleteRule(rule.id());
                }
            }
        }
        wanted.forEach(rule -> createRule(id, rule, ids));
    }

    private String groupId(String from, Tags tags) {
        var key = from.substring(Rules.Rule.GROUP.length());
        return Nodes.text(things.need(new ResourceId(Kinds.SECURITY_GROUP, key), tags), "id");
    }

    private static boolean isSame(Rules.Rule wanted, Snapshot.Rule rule, Map<String, String> ids) {
        var ports = ports(wanted);
        return wanted.family().equals(rule.family())
                && wanted.protocol().equals(rule.protocol())
                && ports.getOrDefault("port_range_min", "").equals(rule.firstPort())
                && ports.getOrDefault("port_range_max", "").equals(rule.lastPort())
                && (wanted.isFromGroup()
                        ? Optional.ofNullable(ids.get(wanted.from())).equals(Optional.of(rule.remoteGroupId()))
                        : wanted.from().equals(rule.remoteRange()));
    }

    private void createRule(String group, Rules.Rule rule, Map<String, String> ids) {
        var body = new HashMap<String, Object>(ports(rule));
        body.put("security_group_id", group);
        body.put("direction", "ingress");
        body.put("ethertype", rule.family());
        body.put("protocol", rule.protocol());
        if (rule.isFromGroup()) {
            body.put("remote_group_id", ids.getOrDefault(rule.from(), ""));
        } else {
            body.put("remote_ip_prefix", rule.from());
        }
        try {
            api.post(Service.NETWORK, "/security-group-rules", Map.of("security_group_rule", body));
        } catch (Refusal refusal) {
            // It is there already: made by a try whose answer was lost.
            if (!refusal.isConflict() || !refusal.error().contains("already exists")) {
                throw refusal;
            }
        }
    }

    private static Map<String, String> ports(Rules.Rule rule) {
        if (rule.ports().isEmpty()) {
            return Map.of();
        }
        var ends = rule.ports().split("-", 2);
        return Map.of("port_range_min", ends[0], "port_range_max", ends[ends.length - 1]);
    }

    private void deleteRule(String id) {
        api.delete(Service.NETWORK, "/security-group-rules/" + id);
    }

    /** The group itself is a resource of its own. */
    void deleteRules(ObservedResource seen) {
        things.find(new ResourceId(Kinds.SECURITY_GROUP, seen.id().key()), seen.name(), seen.tags(), seen.handle())
                .ifPresent(group -> Read.securityGroup(group).rules().stream()
                        .filter(rule -> rule.direction().equals("ingress"))
                        .forEach(rule -> deleteRule(rule.id())));
    }
}
