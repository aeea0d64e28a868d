package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Polling;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Virtual networks and security groups: one call each, which includes the tags. */
final class NetworkCalls {
    /** Drivers that make a separate network for each number. */
    private static final Set<String> NUMBERED = Set.of("802.1Q", "vxlan", "ovswitch_vxlan");

    /** Allows for an IPAM driver that asks a server. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final Api api;
    private final TaggedResources things;
    private final Polling<Snapshot.Network> polling;

    NetworkCalls(Api api, TaggedResources things, Polling<Snapshot.Network> polling) {
        this.api = api;
        this.things = things;
        this.polling = polling;
    }

    void createNetwork(Resource desired, Tags tags, Call call) {
        int guard = guard(tags);
        var found = things.making().network(desired.id(), desired.name(), tags);
        if (found.filter(Snapshot.Network::hasFailed).isPresent()) {
            delete(found.get(), call);
            found = Optional.empty();
        }
        int id = found.map(Snapshot.Network::id).orElseGet(() -> allocate(desired, tags, guard));
        if (found.filter(Snapshot.Network::isMade).isEmpty()) {
            call.progress("waiting for its address range");
            made(id, desired.name(), call);
        }
        // OpenNebula adds its own group to those of a new network.
        api.networks().merge(id, new Template().put(NetworkDesign.GROUPS, guard));
    }

    /** one.vn.allocate returns before a driver has made the address range; until then no machine gets a lease. */
    private void made(int id, String name, Call call) {
        var made = polling.await(
                String.valueOf(id),
                seen -> seen.map(network -> network.isMade() || network.hasFailed())
                        .orElse(true),
                LIMIT,
                "the virtual network " + name,
                call);
        if (made.filter(Snapshot.Network::isMade).isEmpty()) {
            throw new Failure(failed(name, made));
        }
    }

    private Diagnostic failed(String name, Optional<Snapshot.Network> network) {
        if (network.isEmpty()) {
            return things.vanished("virtual network", name);
        }
        var error = network.get().error();
        return Diagnostic.error(
                Code.OPENNEBULA_NETWORK_FAILED,
                "The virtual network " + name + " at " + things.front() + " is in ERROR. OpenNebula says: "
                        + (error.isEmpty() ? "no reason given." : Faults.sentence(error)),
                "Fix what it names, then run the same command again.",
                "onevnet show " + network.get().id());
    }

    private int guard(Tags tags) {
        var name = Kinds.name(tags.site(), Kinds.THE_GUARD);
        return things.needed(things.securityGroup(Kinds.THE_GUARD, name, tags), Kinds.THE_GUARD, name);
    }

    private int allocate(Resource desired, Tags tags, int guard) {
        var values = desired.values();
        var driver = values.getOrDefault(NetworkDesign.DRIVER, "fw");
        var template = new Template().put("NAME", desired.name()).put("VN_MAD", driver);
        put(template, "BRIDGE", values.get(NetworkDesign.BRIDGE));
        put(template, "PHYDEV", values.get(NetworkDesign.DEVICE));
        put(template, "VLAN_ID", values.get(NetworkDesign.VLAN));
        if (NUMBERED.contains(driver) && !values.containsKey(NetworkDesign.VLAN)) {
            template.put("AUTOMATIC_VLAN_ID", "YES");
        }
        var range = Cidr.parse(values.getOrDefault(NetworkDesign.CIDR, ""));
        template.put("NETWORK_ADDRESS", range.network().toString()).put("NETWORK_MASK", mask(range));
        put(template, "GATEWAY", values.get(NetworkDesign.GATEWAY));
        put(template, "DNS", values.get(NetworkDesign.DNS));
        template.put(NetworkDesign.GROUPS, guard);
        var machines = NetworkDesign.machines(range);
        template.vector(
                "AR",
                new TreeMap<>(Map.of(
                        "TYPE", "IP4", "IP", machines.first().toString(), "SIZE", String.valueOf(machines.size()))));
        Noted.into(template, desired, NetworkDesign.NOTED);
        new Ownership(desired.id(), tags).into(template);
        return api.networks().allocate(template);
    }

    /** {@code 255.255.255.0}. */
    private static String mask(Cidr range) {
        long ones = (0xFFFF_FFFFL << (32 - range.prefix())) & 0xFFFF_FFFFL;
        return IpAddress.parse("0.0.0.0").plus(BigInteger.valueOf(ones)).toString();
    }

    private static void put(Template template, String name, @Nullable String value) {
        if (value != null) {
            template.put(name, value);
        }
    }

    void updateNetwork(ObservedResource seen, Resource desired) {
        var template = new Template()
                .putOrRemove("GATEWAY", desired.values().get(NetworkDesign.GATEWAY))
                .putOrRemove("DNS", desired.values().get(NetworkDesign.DNS))
                .put(NetworkDesign.GROUPS, guard(seen.tags()));
        int id = things.needed(things.network(seen), seen.id(), seen.name());
        api.networks().merge(id, template);
    }

    void deleteNetwork(ObservedResource seen, Call call) {
        things.network(seen).ifPresent(network -> delete(network, call));
    }

    /** one.vn.delete returns before the driver has deleted the address range. */
    private void delete(Snapshot.Network network, Call call) {
        things.delete(() -> api.networks().delete(network.id()), "virtual network " + network.name(), call);
        var left = polling.await(
                String.valueOf(network.id()),
                seen -> seen.filter(one -> !one.hasFailed()).isEmpty(),
                LIMIT,
                "deleting the virtual network " + network.name(),
                call);
        if (left.isPresent()) {
            throw new Failure(failed(network.name(), left));
        }
    }

    void retagNetwork(ObservedResource seen, Ownership ownership) {
        things.network(seen).ifPresent(network -> {
            var template = new Template();
            ownership.into(template);
            api.networks().merge(network.id(), template);
        });
    }

    void releaseNetwork(ObservedResource seen) {
        things.network(seen)
                .ifPresent(network -> api.networks().merge(network.id(), new Template().remove(Ownership.ATTRIBUTE)));
    }

    void createGroup(Resource desired, Tags tags) {
        if (things.making().securityGroup(desired.id(), desired.name(), tags).isEmpty()) {
            var template = new Template().put("NAME", desired.name());
            Rules.into(template, desired);
            new Ownership(desired.id(), tags).into(template);
            api.securityGroups().allocate(template);
        }
    }

    void updateGroup(ObservedResource seen, Resource desired) {
        var template = new Template();
        Rules.into(template, desired);
        new Ownership(seen.id(), seen.tags()).into(template);
        int id = things.needed(things.securityGroup(seen), seen.id(), seen.name());
        api.securityGroups().replace(id, template);
    }

    void deleteGroup(ObservedResource seen, Call call) {
        things.securityGroup(seen)
                .ifPresent(group -> things.delete(
                        () -> api.securityGroups().delete(group.id()), "security group " + seen.name(), call));
    }

    void retagGroup(ObservedResource seen, Ownership ownership) {
        things.securityGroup(seen).ifPresent(group -> {
            var template = rules(group);
            ownership.into(template);
            api.securityGroups().replace(group.id(), template);
        });
    }

    void releaseGroup(ObservedResource seen) {
        things.securityGroup(seen).ifPresent(group -> api.securityGroups().replace(group.id(), rules(group)));
    }

    /** Its existing rules: a merge replaces all attributes of one name. */
    private static Template rules(Snapshot.SecurityGroup group) {
        var template = new Template();
        group.rules().forEach(rule -> template.vector("RULE", rule));
        return template;
    }
}
