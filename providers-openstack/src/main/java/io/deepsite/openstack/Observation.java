package io.deepsite.openstack;

import io.deepsite.contract.Digests;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Tags;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The things of a snapshot that have our tags, as resources. */
final class Observation {
    private static final Set<String> WITHOUT_END = Set.of(Kinds.SERVER_GROUP, Kinds.KEYPAIR);

    private final Snapshot snapshot;
    private final Tags.Scope scope;
    private final List<ObservedResource> owned = new ArrayList<>();
    /** Everything in the project that deepsite created, for any site, by its id in the cloud. */
    private final Map<String, Ownership> byCloudId = new HashMap<>();

    private final Map<String, List<Snapshot.Port>> portsByDevice;

    Observation(Snapshot snapshot, Tags.Scope scope) {
        this.snapshot = snapshot;
        this.scope = scope;
        this.portsByDevice = snapshot.ports().stream().collect(Collectors.groupingBy(Snapshot.Port::deviceId));
    }

    List<ObservedResource> owned() {
        index();
        snapshot.networks().forEach(one -> add(one.id(), one.name(), network(one), Condition.READY));
        snapshot.subnets().forEach(one -> add(one.id(), one.name(), subnet(one), Condition.READY));
        snapshot.routers().forEach(one -> add(one.id(), one.name(), router(one), Condition.READY));
        snapshot.securityGroups().forEach(this::securityGroup);
        snapshot.ports().forEach(one -> add(one.id(), one.name(), port(one), Condition.READY));
        snapshot.floatingIps().forEach(one -> add(one.id(), usualName(one.id()), floating(one), Condition.READY));
        snapshot.flavors()
                .forEach(one -> add(
                        one.id(),
                        one.name(),
                        flavor(one),
                        FlavorChoice.lacksSpecs(one) ? Condition.HALF_MADE : Condition.READY));
        snapshot.images()
                .forEach(one -> add(
                        one.id(),
                        one.name(),
                        image(one),
                        one.status().equals("active") ? Condition.READY : Condition.HALF_MADE));
        snapshot.volumes().forEach(one -> add(one.id(), one.name(), volume(one), volumeCondition(one), keptFor(one)));
        snapshot.serverGroups()
                .forEach(one -> add(one.id(), usualName(one.id()), Map.of("policy", one.policy()), Condition.READY));
        snapshot.keypairs().forEach(one -> add(one.id(), usualName(one.id()), Map.of(), Condition.READY));
        var volumes = new HashMap<String, String>();
        snapshot.volumes()
                .forEach(volume -> Optional.ofNullable(byCloudId.get(volume.id()))
                        .ifPresent(ours -> volumes.put(volume.id(), ours.id().key())));
        snapshot.servers()
                .forEach(one -> add(one.id(), one.name(), ServerAttributes.observed(one, volumes), condition(one)));
        return inheritLeases().stream()
                .sorted(Comparator.comparing(
                                (ObservedResource seen) -> seen.tags().site())
                        .thenComparing(ObservedResource::id))
                .toList();
    }

    private void index() {
        Stream.of(
                        snapshot.networks(),
                        snapshot.subnets(),
                        snapshot.routers(),
                        snapshot.securityGroups(),
                        snapshot.ports(),
                        snapshot.floatingIps(),
                        snapshot.flavors(),
                        snapshot.images(),
                        snapshot.volumes(),
                        snapshot.servers(),
                        snapshot.serverGroups(),
                        snapshot.keypairs())
                .<Snapshot.Tagged>flatMap(List::stream)
                .forEach(one -> Ownership.of(one.tags()).ifPresent(ownership -> byCloudId.put(one.id(), ownership)));
    }

    private void add(String cloudId, String name, Map<String, String> attributes, Condition condition) {
        add(cloudId, name, attributes, condition, List.of());
    }

    private void add(
            String cloudId, String name, Map<String, String> attributes, Condition condition, List<String> usedBy) {
        var ownership = byCloudId.get(cloudId);
        if (ownership != null && ownership.tags().within(scope)) {
            owned.add(resource(ownership, cloudId, name, attributes, condition, usedBy));
        }
    }

    private static List<String> keptFor(Snapshot.Volume volume) {
        return volume.metadata().containsKey(Ownership.KEPT_FOR) ? List.of(ObservedResource.KEPT) : List.of();
    }

    private static ObservedResource resource(
            Ownership ownership,
            String cloudId,
            String name,
            Map<String, String> attributes,
            Condition condition,
            List<String> usedBy) {
        var sorted = new TreeMap<>(attributes);
        return new ObservedResource(
                ownership.id(),
                name,
                sorted,
                ownership.tags(),
                digest(cloudId, sorted, condition),
                condition,
                usedBy,
                Kinds.removal(ownership.id().kind()),
                cloudId);
    }

    /** The cloud chooses the physical network of a site's internal one. */
    private static Map<String, String> network(Snapshot.Network network) {
        return network.external() ? Map.of(NetworkDesign.PROVIDER, network.provider()) : Map.of();
    }

    private SortedMap<String, String> subnet(Snapshot.Subnet subnet) {
        var seen = new TreeMap<String, String>();
        seen.put(NetworkDesign.CIDR, subnet.cidr());
        seen.put(NetworkDesign.GATEWAY, subnet.gateway());
        if (snapshot.networkOfId(subnet.networkId())
                .filter(Snapshot.Network::external)
                .isPresent()) {
            seen.put(NetworkDesign.POOL, String.join(", ", subnet.pools()));
        }
        if (!subnet.dns().isEmpty()) {
            seen.put(NetworkDesign.DNS, String.join(", ", subnet.dns()));
        }
        return seen;
    }

    private SortedMap<String, String> router(Snapshot.Router router) {
        var seen = new TreeMap<String, String>();
        snapshot.networkOfId(router.externalNetworkId())
                .ifPresent(network -> seen.put(NetworkDesign.EXTERNAL, networkWords(network.id())));
        var subnets = portsByDevice.getOrDefault(router.id(), List.of()).stream()
                .flatMap(port -> port.fixedIps().stream())
                .flatMap(fixed -> Optional.ofNullable(byCloudId.get(fixed.subnetId())).stream())
                .filter(ours -> !ours.id().equals(Kinds.EXTERNAL_SUBNET))
                .map(ours -> ours.id().key())
                .collect(Collectors.toCollection(TreeSet::new));
        if (!subnets.isEmpty()) {
            seen.put(NetworkDesign.SUBNETS, String.join(", ", subnets));
        }
        return seen;
    }

    /** Its rules are another resource, which has the tags of the group. */
    private void securityGroup(Snapshot.SecurityGroup group) {
        add(group.id(), group.name(), Map.of(), Condition.READY);
        var ownership = byCloudId.get(group.id());
        var rules = group.rules().stream()
                .filter(rule -> rule.direction().equals("ingress"))
                .map(this::rule)
                .toList();
        if (ownership != null && ownership.tags().within(scope) && !rules.isEmpty()) {
            var ofRules =
                    new Ownership(Kinds.securityRules(new Name(ownership.id().key())), ownership.tags());
            owned.add(resource(
                    ofRules,
                    group.id(),
                    group.name(),
                    Map.of(Rules.RULES, Rules.text(rules)),
                    Condition.READY,
                    List.of()));
        }
    }

    private Rules.Rule rule(Snapshot.Rule rule) {
        var ports =
                rule.firstPort().equals(rule.lastPort()) ? rule.firstPort() : rule.firstPort() + "-" + rule.lastPort();
        var from = rule.remoteRange();
        if (!rule.remoteGroupId().isEmpty()) {
            var ours = byCloudId.get(rule.remoteGroupId());
            from = Rules.Rule.GROUP
                    + (ours == null ? rule.remoteGroupId() : ours.id().key());
        }
        return new Rules.Rule(rule.family(), rule.protocol(), ports, from);
    }

    private SortedMap<String, String> port(Snapshot.Port port) {
        var seen = new TreeMap<String, String>();
        seen.put(PortAttributes.NETWORK, networkWords(port.networkId()));
        var addresses = port.fixedIps().stream()
                .map(fixed -> IpAddress.parse(fixed.address()))
                .sorted(Comparator.comparingInt(address -> address.value().getAddress().length))
                .map(IpAddress::toString)
                .collect(Collectors.joining(", "));
        seen.put(PortAttributes.ADDRESS, addresses);
        var groups =
                port.securityGroups().stream().map(this::groupWords).sorted().toList();
        seen.put(PortAttributes.SECURITY_GROUPS, String.join(", ", groups));
        return seen;
    }

    private String networkWords(String id) {
        return snapshot.networkOfId(id)
                .map(network -> byCloudId.containsKey(id) ? network.name() : NetworkDesign.words(network))
                .orElse(id);
    }

    private String groupWords(String id) {
        return snapshot.securityGroups().stream()
                .filter(group -> group.id().equals(id))
                .findFirst()
                .map(group -> byCloudId.containsKey(id) ? group.name() : PortAttributes.words(group))
                .orElse(id);
    }

    private SortedMap<String, String> floating(Snapshot.FloatingIp floating) {
        var seen = new TreeMap<String, String>();
        seen.put(PortAttributes.NETWORK, networkWords(floating.networkId()));
        Optional.ofNullable(byCloudId.get(floating.portId()))
                .ifPresent(port -> seen.put(PortAttributes.PORT, port.id().key()));
        return seen;
    }

    /** The name of a thing that has none in the cloud, or one with our tags in it. */
    private String usualName(String cloudId) {
        return Optional.ofNullable(byCloudId.get(cloudId))
                .map(ours -> Kinds.name(ours.tags().site(), ours.id()))
                .orElse(cloudId);
    }

    private static SortedMap<String, String> flavor(Snapshot.Flavor flavor) {
        var seen = new TreeMap<>(Map.of(
                "cpus", String.valueOf(flavor.cpus()),
                "memory", flavor.memoryMebibytes() + "MiB",
                "disk", flavor.diskGibibytes() + "GiB"));
        flavor.extraSpecs().forEach((key, value) -> seen.put(FlavorChoice.SPEC + key, value));
        return seen;
    }

    private static SortedMap<String, String> image(Snapshot.Image image) {
        var seen = new TreeMap<String, String>();
        image.properties().forEach((key, value) -> {
            if (key.startsWith(Ownership.KEY + "-")) {
                seen.put(key.substring(Ownership.KEY.length() + 1), value);
            }
        });
        // A property of ours lists those that the site asks for: Glance adds others.
        for (var key :
                image.properties().getOrDefault(ImageCalls.PROPERTIES_KEY, "").split(",")) {
            if (image.properties().containsKey(key)) {
                seen.put(ImageChoice.PROPERTY + key, image.properties().getOrDefault(key, ""));
            }
        }
        seen.remove("properties");
        return seen;
    }

    private static SortedMap<String, String> volume(Snapshot.Volume volume) {
        var seen = new TreeMap<String, String>();
        seen.put(VolumeDesign.SIZE, volume.gibibytes() + "GiB");
        for (var asked : List.of(VolumeDesign.TYPE, VolumeDesign.ZONE)) {
            Optional.ofNullable(volume.metadata().get(Ownership.KEY + "-" + asked))
                    .ifPresent(value -> seen.put(asked, value));
        }
        Optional.ofNullable(volume.metadata().get(Ownership.KEPT_FOR))
                .ifPresent(kept -> seen.put(VolumeDesign.KEPT_FOR, kept.split(" ", 2)[0]));
        return seen;
    }

    private static Condition volumeCondition(Snapshot.Volume volume) {
        return switch (volume.status()) {
            case "creating", "error", "downloading", "error_restoring" -> Condition.HALF_MADE;
            default -> Condition.READY;
        };
    }

    static Condition condition(Snapshot.Server server) {
        return switch (server.status()) {
            case "ACTIVE", "REBOOT", "HARD_REBOOT", "PASSWORD", "MIGRATING", "RESIZE" -> Condition.READY;
            case "BUILD" -> Condition.HALF_MADE;
            case "ERROR" -> server.launched() ? Condition.STOPPED : Condition.HALF_MADE;
            default -> Condition.STOPPED;
        };
    }

    /** Server groups and keypairs cannot be changed: they have the lease of the rest of their site. */
    private List<ObservedResource> inheritLeases() {
        var leases = new HashMap<String, Tags.Lease>();
        owned.forEach(seen -> seen.tags()
                .lease()
                .ifPresent(lease ->
                        leases.put(seen.tags().site() + " " + seen.tags().lineage(), lease)));
        return owned.stream()
                .map(seen -> WITHOUT_END.contains(seen.id().kind()) ? with(seen, leases) : seen)
                .toList();
    }

    private static ObservedResource with(ObservedResource seen, Map<String, Tags.Lease> leases) {
        var tags = seen.tags();
        var lease = Optional.ofNullable(leases.get(tags.site() + " " + tags.lineage()));
        return new ObservedResource(
                seen.id(),
                seen.name(),
                seen.attributes(),
                tags.with(lease),
                seen.version(),
                seen.condition(),
                seen.usedBy(),
                seen.removal(),
                seen.handle());
    }

    private static String digest(String cloudId, SortedMap<String, String> attributes, Condition condition) {
        return Digests.sha256(cloudId + attributes + condition).substring(0, 24);
    }
}
