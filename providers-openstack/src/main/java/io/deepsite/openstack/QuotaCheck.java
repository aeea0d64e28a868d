package io.deepsite.openstack;

import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Bill;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Site;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a design adds to what is there: whether the project's quota has room for it, and what it costs. */
final class QuotaCheck {
    private static final String SITE = "the site itself";
    /** Neutron adds rules that let everything out to each group, one for each family. */
    private static final int RULES_OF_NEUTRON = 2;

    private final Snapshot snapshot;
    private final Site site;
    private final OpenStackSettings settings;
    private final List<Resource> design;
    private final Map<String, String> groups = new HashMap<>();
    private final Map<String, Snapshot.Flavor> flavors;
    private final Needs needs = new Needs();

    QuotaCheck(Snapshot snapshot, Site site, OpenStackSettings settings, List<Resource> design) {
        this.snapshot = snapshot;
        this.site = site;
        this.settings = settings;
        this.design = List.copyOf(design);
        this.flavors = snapshot.flavors().stream()
                .collect(Collectors.toMap(Snapshot.Flavor::name, Function.identity(), (first, _) -> first));
        site.machines().keySet().forEach(group -> {
            var volumes = settings.groups()
                    .getOrDefault(group, OpenStackMachines.NONE)
                    .volumes()
                    .keySet();
            for (var machine : site.machineNames(group)) {
                groups.put(machine, group.value());
                volumes.forEach(
                        volume -> groups.put(Kinds.volume(machine, volume).key(), group.value()));
            }
            groups.putIfAbsent(group.value(), group.value());
        });
        var there = new Observation(snapshot, new Tags.Scope.OneSite(site.name()))
                .owned().stream().collect(Collectors.toMap(ObservedResource::id, Function.identity()));
        var made = design.stream()
                .filter(resource -> resource.id().kind().equals(Kinds.FLAVOR))
                .collect(Collectors.toMap(Resource::name, Function.identity()));
        design.stream()
                .filter(resource -> !there.containsKey(resource.id()) && !resource.isTakenUp())
                .forEach(resource -> add(resource, made));
        design.stream()
                .filter(resource -> resource.id().kind().equals(Kinds.VOLUME))
                .forEach(this::growth);
    }

    List<Diagnostic> faults() {
        return snapshot.quotas().map(needs::faults).orElse(List.of());
    }

    Bill bill() {
        var machines = design.stream()
                .filter(resource -> resource.id().kind().equals(Kinds.SERVER))
                .collect(Collectors.groupingBy(
                        server -> server.values().getOrDefault(ServerAttributes.FLAVOR, ""),
                        TreeMap::new,
                        Collectors.counting()));
        return new Bill(
                snapshot.quotas().map(needs::limits).orElse(List.of()),
                machines.entrySet().stream()
                        .map(flavor -> new Bill.Rate(
                                flavor.getKey(),
                                flavor.getValue().intValue(),
                                Optional.ofNullable(settings.prices().get(flavor.getKey()))))
                        .toList());
    }

    private void add(Resource resource, Map<String, Resource> made) {
        var id = resource.id();
        var who = Set.of(Kinds.NETWORK, Kinds.SUBNET, Kinds.ROUTER).contains(id.kind())
                ? SITE
                : groups.getOrDefault(id.key(), SITE);
        switch (id.kind()) {
            case Kinds.NETWORK -> needs.add(Quota.NETWORKS, who, 1);
            case Kinds.SUBNET -> needs.add(Quota.SUBNETS, who, 1);
            case Kinds.ROUTER -> {
                needs.add(Quota.ROUTERS, who, 1);
                needs.add(
                        Quota.PORTS,
                        who,
                        NetworkCalls.words(resource.values().get(NetworkDesign.SUBNETS))
                                .size());
            }
            case Kinds.PORT -> needs.add(Quota.PORTS, who, 1);
            case Kinds.FLOATING_IP -> needs.add(Quota.FLOATING_IPS, who, 1);
            case Kinds.SERVER_GROUP -> needs.add(Quota.SERVER_GROUPS, who, 1);
            case Kinds.SECURITY_GROUP -> {
                needs.add(Quota.SECURITY_GROUPS, who, 1);
                needs.add(Quota.SECURITY_GROUP_RULES, who, RULES_OF_NEUTRON);
            }
            case Kinds.SECURITY_RULES ->
                needs.add(
                        Quota.SECURITY_GROUP_RULES,
                        who,
                        Rules.parse(resource.values().getOrDefault(Rules.RULES, ""))
                                .size());
            case Kinds.VOLUME -> volume(who, resource.values().getOrDefault("size", "0GiB"));
            case Kinds.SERVER -> server(who, resource, made);
            default -> {}
        }
    }

    private void server(String who, Resource server, Map<String, Resource> made) {
        var name = server.values().getOrDefault(ServerAttributes.FLAVOR, "");
        needs.add(Quota.INSTANCES, who, 1);
        Optional.ofNullable(flavors.get(name)).ifPresent(flavor -> {
            needs.add(Quota.CORES, who, flavor.cpus());
            needs.add(Quota.RAM, who, flavor.memoryMebibytes());
        });
        if (!flavors.containsKey(name) && made.containsKey(name)) {
            var values = made.get(name).values();
            needs.add(Quota.CORES, who, number(values.getOrDefault("cpus", "0")));
            needs.add(Quota.RAM, who, number(values.getOrDefault("memory", "0")));
        }
        // volume 20GiB ssd
        Optional.ofNullable(server.values().get(ServerAttributes.BOOT))
                .ifPresent(boot -> volume(who, boot.split(" ")[1]));
    }

    private void volume(String who, String size) {
        needs.add(Quota.VOLUMES, who, 1);
        needs.add(Quota.GIGABYTES, who, number(size));
    }

    /** What a volume that exists already, of this site or left for it, grows by. */
    private void growth(Resource resource) {
        long wanted = number(resource.values().getOrDefault(VolumeDesign.SIZE, "0"));
        snapshot.volumes().stream()
                .filter(volume -> isThere(volume, resource.id()) && volume.gibibytes() < wanted)
                .findFirst()
                .ifPresent(volume -> needs.add(
                        Quota.GIGABYTES, groups.getOrDefault(resource.id().key(), SITE), wanted - volume.gibibytes()));
    }

    private boolean isThere(Snapshot.Volume volume, ResourceId id) {
        return Ownership.isKept(volume, id, site.name())
                || Ownership.of(volume.tags())
                        .filter(ours ->
                                ours.id().equals(id) && ours.tags().site().equals(site.name()))
                        .isPresent();
    }

    private static long number(String text) {
        return Long.parseLong(text.replaceAll("[^0-9]", ""));
    }
}
