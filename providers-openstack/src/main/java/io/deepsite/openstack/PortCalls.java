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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openstack4j.api.Builders;

/** Ports, floating IPs, security groups and their rules. */
final class PortCalls {
    private final Cloud cloud;
    private final Neutron neutron;
    private final TaggedResources things;
    private final NetworkCalls networks;

    PortCalls(Cloud cloud, Neutron neutron, TaggedResources things, NetworkCalls networks) {
        this.cloud = cloud;
        this.neutron = neutron;
        this.things = things;
        this.networks = networks;
    }

    void createPort(Resource desired, Tags tags) {
        if (things.exists(desired, tags)) {
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
        neutron.create(Kinds.PORT, body, tags.site());
    }

    void updatePort(ObservedResource seen, Resource desired) {
        neutron.update(
                Kinds.PORT,
                things.id(seen.id(), seen.tags()),
                Map.of("security_groups", groups(desired.values().get(PortAttributes.SECURITY_GROUPS), seen.tags())));
    }

    /** Ours by name, others by the id after the name. */
    private List<String> groups(@Nullable String text, Tags tags) {
        var ids = new ArrayList<String>();
        var prefix = "ds-" + tags.site() + "-";
        for (var group : NetworkCalls.words(text)) {
            ids.add(
                    group.contains(" ")
                            ? NetworkCalls.lastWord(group)
                            : things.id(new ResourceId(Kinds.SECURITY_GROUP, group.substring(prefix.length())), tags));
        }
        return ids;
    }

    void createFloatingIp(Resource desired, Tags tags) {
        var found = things.find(Family.FLOATING_IPS, desired.id(), desired.name(), tags);
        if (found.isPresent()) {
            join(found.get(), desired, tags);
            return;
        }
        var floating = Builders.netFloatingIP()
                .floatingNetworkId(networks.id(desired.values().getOrDefault(PortAttributes.NETWORK, ""), tags))
                .portId(port(desired, tags))
                .description(new Ownership(desired.id(), tags).text())
                .build();
        var made = cloud.client().networking().floatingip().create(floating);
        neutron.tag(Kinds.FLOATING_IP, made.getId(), tags.site());
    }

    void updateFloatingIp(ObservedResource seen, Resource desired) {
        join(things.need(Family.FLOATING_IPS, seen.id(), seen.tags()), desired, seen.tags());
    }

    /** The cloud chose it when it was created. */
    Optional<String> floatingAddress(String machine, Name site) {
        var id = Kinds.floatingIp(machine);
        return Family.FLOATING_IPS.all(cloud).stream()
                .filter(floating -> Ownership.of(floating.description())
                        .filter(found ->
                                found.id().equals(id) && found.tags().site().equals(site))
                        .isPresent())
                .map(Snapshot.FloatingIp::address)
                .findFirst();
    }

    private void join(Snapshot.FloatingIp floating, Resource desired, Tags tags) {
        var port = port(desired, tags);
        if (!port.equals(floating.portId())) {
            cloud.client().networking().floatingip().associateToPort(floating.id(), port);
        }
    }

    private String port(Resource floating, Tags tags) {
        return things.id(Kinds.port(floating.values().getOrDefault(PortAttributes.PORT, "")), tags);
    }

    void createSecurityGroup(Resource desired, Tags tags) {
        if (!things.exists(desired, tags)) {
            var group = Builders.securityGroup()
                    .name(desired.name())
                    .description(new Ownership(desired.id(), tags).text())
                    .build();
            var made = cloud.client().networking().securitygroup().create(group);
            neutron.tag(Kinds.SECURITY_GROUP, made.getId(), tags.site());
        }
    }

    /** Adds the rules that are missing and deletes those that the site does not have. */
    void setRules(Resource desired, Tags tags) {
        var group = things.need(
                Family.SECURITY_GROUPS,
                new ResourceId(Kinds.SECURITY_GROUP, desired.id().key()),
                tags);
        var wanted = new ArrayList<>(Rules.parse(desired.values().getOrDefault(Rules.RULES, "")));
        var ids = new HashMap<String, String>();
        wanted.stream()
                .map(Rules.Rule::from)
                .filter(from -> from.startsWith(Rules.Rule.GROUP))
                .distinct()
                .forEach(from -> ids.put(from, groupId(from, tags)));
        for (var rule : group.rules()) {
            if (rule.direction().equals("ingress")) {
                var match =
                        wanted.stream().filter(one -> isSame(one, rule, ids)).findFirst();
                if (match.isPresent()) {
                    wanted.remove(match.get());
                } else {
                    deleteRule(rule);
                }
            }
        }
        wanted.forEach(rule -> createRule(group.id(), rule, ids));
    }

    private String groupId(String from, Tags tags) {
        return things.id(new ResourceId(Kinds.SECURITY_GROUP, from.substring(Rules.Rule.GROUP.length())), tags);
    }

    private static boolean isSame(Rules.Rule wanted, Snapshot.Rule rule, Map<String, String> ids) {
        var ports = ports(wanted);
        return wanted.family().equals(rule.family())
                && wanted.protocol().equals(rule.protocol())
                && (ports.isEmpty() ? "" : ports.getFirst().toString()).equals(rule.firstPort())
                && (ports.isEmpty() ? "" : ports.getLast().toString()).equals(rule.lastPort())
                && (wanted.isFromGroup()
                        ? Optional.ofNullable(ids.get(wanted.from())).equals(Optional.of(rule.remoteGroupId()))
                        : wanted.from().equals(rule.remoteRange()));
    }

    private void createRule(String group, Rules.Rule wanted, Map<String, String> ids) {
        var rule = Builders.securityGroupRule()
                .securityGroupId(group)
                .direction("ingress")
                .ethertype(wanted.family())
                .protocol(wanted.protocol());
        var ports = ports(wanted);
        if (!ports.isEmpty()) {
            rule.portRangeMin(ports.getFirst()).portRangeMax(ports.getLast());
        }
        if (wanted.isFromGroup()) {
            rule.remoteGroupId(ids.getOrDefault(wanted.from(), ""));
        } else {
            rule.remoteIpPrefix(wanted.from());
        }
        try {
            cloud.client().networking().securityrule().create(rule.build());
        } catch (Refusal refusal) {
            // It is there already: an earlier try created it, and its answer was lost.
            if (!refusal.isConflict() || !refusal.error().contains("already exists")) {
                throw refusal;
            }
        }
    }

    /** First and last; empty for all. */
    private static List<Integer> ports(Rules.Rule rule) {
        return rule.ports().isEmpty()
                ? List.of()
                : Stream.of(rule.ports().split("-", 2)).map(Integer::valueOf).toList();
    }

    private void deleteRule(Snapshot.Rule rule) {
        Refusal.found(() -> cloud.client().networking().securityrule().delete(rule.id()));
    }

    /** The group itself is a resource of its own. */
    void deleteRules(ObservedResource seen) {
        var group = new ResourceId(Kinds.SECURITY_GROUP, seen.id().key());
        things.find(Family.SECURITY_GROUPS, group, seen.name(), seen.tags(), seen.handle())
                .ifPresent(found -> found.rules().stream()
                        .filter(rule -> rule.direction().equals("ingress"))
                        .forEach(this::deleteRule));
    }
}
