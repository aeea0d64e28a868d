package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.opennebula.Quotas.What;
import io.deepsite.provider.Bill;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a design adds to what is there, and whether quotas and datastore have room for it. */
final class QuotaCheck {
    private static final int FIRST_CLUSTER = 0;

    private final Snapshot snapshot;
    private final Site site;
    private final Optional<Snapshot.Network> network;
    private final Map<String, String> groups = new HashMap<>();
    private final Map<Counted, Map<String, Long>> needs = new LinkedHashMap<>();
    /** Of data disks, by the id of their datastore. */
    private final Map<Integer, Map<String, Long>> space = new LinkedHashMap<>();

    private final Map<String, Set<Integer>> clusters = new HashMap<>();

    /** @param of as in {@link Quotas.Limit} */
    private record Counted(What what, int of) {}

    /** @param network the existing network whose addresses are counted */
    QuotaCheck(
            Snapshot snapshot,
            Site site,
            OpenNebulaSettings settings,
            Optional<Snapshot.Network> network,
            List<Resource> design) {
        this.snapshot = snapshot;
        this.site = site;
        this.network = network;
        var placement = new Placement(snapshot, new ArrayList<>());
        for (Name group : site.machines().keySet()) {
            var more = settings.groups().getOrDefault(group, OpenNebulaMachines.NONE);
            clusters.put(group.value(), placement.clusters(more).orElseGet(() -> ofNetwork(network)));
            var volumes = more.volumes().keySet();
            for (var machine : site.machineNames(group)) {
                groups.put(machine, group.value());
                volumes.forEach(
                        volume -> groups.put(Kinds.volume(machine, volume).key(), group.value()));
            }
        }
        var there = new Observation(snapshot, new Tags.Scope.OneSite(site.name()))
                .owned().stream().map(ObservedResource::id).collect(Collectors.toSet());
        var byId = design.stream().collect(Collectors.toMap(Resource::id, Function.identity()));
        design.stream()
                .filter(resource -> !there.contains(resource.id()) && !resource.isTakenUp())
                .forEach(resource -> add(resource, byId));
    }

    Bill bill() {
        var limits = new ArrayList<Bill.Limit>();
        for (var limit : snapshot.quotas().limits()) {
            long more = sum(needed(limit));
            if (more > 0) {
                limits.add(new Bill.Limit(
                        "the " + limit.owner(),
                        limit.what().words() + where(limit),
                        more,
                        Math.round(limit.used()),
                        Math.round(limit.limit())));
            }
        }
        return new Bill(limits, List.of());
    }

    private static long sum(Map<String, Long> by) {
        return by.values().stream().mapToLong(Long::longValue).sum();
    }

    List<Diagnostic> faults() {
        var faults = new ArrayList<Diagnostic>();
        for (var limit : snapshot.quotas().limits()) {
            var by = needed(limit);
            long needed = sum(by);
            if (needed > limit.left()) {
                faults.add(over(limit, by, needed));
            }
        }
        snapshot.datastores().forEach(store -> room(store, faults));
        return faults;
    }

    /**
     * By machine group. Of a limit for clusters only those whose machines can run nowhere else: OpenNebula counts a machine
     * there once it has chosen a host.
     */
    private Map<String, Long> needed(Quotas.Limit limit) {
        var by = new LinkedHashMap<>(needs.getOrDefault(new Counted(limit.what(), limit.of()), Map.of()));
        if (!limit.clusters().isEmpty()) {
            by.keySet().removeIf(group -> {
                var possible = clusters.getOrDefault(group, Set.of());
                return possible.isEmpty() || !limit.clusters().containsAll(possible);
            });
        }
        return by;
    }

    /** A network that deepsite makes is in OpenNebula's first cluster, unless an administrator has added it to others. */
    private Set<Integer> ofNetwork(Optional<Snapshot.Network> existing) {
        return existing.or(() -> snapshot.networks().stream()
                        .filter(one -> one.ownership()
                                .filter(ours -> ours.isOf(Kinds.THE_NETWORK, site.name()))
                                .isPresent())
                        .findFirst())
                .map(Snapshot.Network::clusters)
                .orElse(Set.of(FIRST_CLUSTER));
    }

    private Optional<Snapshot.Datastore> datastore(Map<String, String> values) {
        var known = snapshot.datastores().stream()
                .filter(Snapshot.Datastore::holdsImages)
                .toList();
        return Optional.ofNullable(values.get(ImageChoice.DATASTORE))
                .map(name -> Snapshot.find(known, name))
                .orElseGet(() -> Snapshot.usual(known));
    }

    private void add(Resource resource, Map<ResourceId, Resource> design) {
        var values = resource.values();
        var who = groups.getOrDefault(resource.id().key(), "the site itself");
        switch (resource.id().kind()) {
            case Kinds.VM -> {
                long cpus = number(values.getOrDefault(VmAttributes.CPUS, "1"));
                long mebibytes = number(values.getOrDefault(VmAttributes.MEMORY, "0"));
                need(What.VMS, who, 1);
                need(What.CPU, who, cpus);
                need(What.MEMORY, who, mebibytes);
                need(What.RUNNING_VMS, who, 1);
                need(What.RUNNING_CPU, who, cpus);
                need(What.RUNNING_MEMORY, who, mebibytes);
                long cards = VmTemplate.list(values.get(VmAttributes.GPUS)).size();
                need(What.PCI_DEVICES, who, cards);
                need(What.RUNNING_PCI_DEVICES, who, cards);
                network.ifPresent(existing -> need(new Counted(What.LEASES, existing.id()), who, 1));
                image(resource).ifPresent(image -> need(new Counted(What.IMAGE_VMS, image.id()), who, 1));
                disks(resource, design, who);
            }
            case Kinds.IMAGE, Kinds.VOLUME ->
                datastore(values).ifPresent(store -> {
                    long size = number(values.getOrDefault(ImageChoice.SIZE, "0"));
                    need(new Counted(What.IMAGES, store.id()), who, 1);
                    need(new Counted(What.SIZE, store.id()), who, size);
                    space.computeIfAbsent(store.id(), _ -> new LinkedHashMap<>())
                            .merge(who, size, Long::sum);
                });
            default -> {}
        }
    }

    /** The image that the machine starts from, if it exists. */
    private Optional<Snapshot.Image> image(Resource machine) {
        var made = machine.dependsOn().stream()
                .filter(id -> id.kind().equals(Kinds.IMAGE))
                .findFirst();
        return snapshot.images().stream()
                .filter(image -> made.isPresent()
                        ? image.ownership()
                                .filter(ours -> ours.isOf(made.get(), site.name()))
                                .isPresent()
                        : String.valueOf(image.id()).equals(machine.values().get(VmAttributes.FINGERPRINT)))
                .findFirst();
    }

    /**
     * Without disk: in site.yaml, the copy of the image is as large as the image. The size of one that is yet to be fetched
     * is known only to the front-end.
     */
    private void disks(Resource machine, Map<ResourceId, Resource> design, String who) {
        var root = image(machine);
        long size = root.map(Snapshot.Image::mebibytes).orElse(0L);
        var store = root.flatMap(image -> snapshot.datastores().stream()
                        .filter(one -> one.id() == image.datastoreId())
                        .findFirst())
                .or(() -> datastore(Map.of()));
        var asked = machine.values().get(VmAttributes.DISK);
        store.ifPresent(one -> disk(one, one.cloneTarget(), who, asked == null ? size : Math.max(size, number(asked))));
        machine.dependsOn().stream()
                .filter(id -> id.kind().equals(Kinds.VOLUME))
                .map(design::get)
                .filter(Objects::nonNull)
                .map(Resource::values)
                .forEach(volume -> datastore(volume)
                        .ifPresent(one ->
                                disk(one, one.linkTarget(), who, number(volume.getOrDefault(ImageChoice.SIZE, "0")))));
    }

    /** A disk of a machine counts where the drivers of the datastore put it. */
    private void disk(Snapshot.Datastore store, String target, String who, long size) {
        switch (target) {
            case "SYSTEM" -> need(What.SYSTEM_DISK, who, size);
            case "SELF" -> need(new Counted(What.SIZE, store.id()), who, size);
            default -> {}
        }
    }

    private void need(What what, String who, long amount) {
        need(new Counted(what, Quotas.ALL), who, amount);
    }

    private void need(Counted counted, String who, long amount) {
        if (amount > 0) {
            needs.computeIfAbsent(counted, _ -> new LinkedHashMap<>()).merge(who, amount, Long::sum);
        }
    }

    private Diagnostic over(Quotas.Limit limit, Map<String, Long> by, long needed) {
        return Diagnostic.error(
                Code.OPENNEBULA_QUOTA,
                "The " + limit.owner() + " at " + snapshot.front() + " is limited to " + plain(limit.limit()) + " "
                        + limit.what().words() + where(limit) + " and uses " + plain(limit.used()) + ". The site needs "
                        + needed
                        + " more (" + words(by) + "), " + plain(needed - limit.left()) + " too many.",
                "Make the site smaller, delete what is not needed there, or ask the administrator for more:",
                limit.owner().startsWith("user ") ? "oneuser quota USER" : "onegroup quota GROUP");
    }

    private String where(Quotas.Limit limit) {
        return switch (limit.what()) {
            case IMAGES, SIZE -> " in the datastore " + name(snapshot.datastores(), limit.of());
            case IMAGE_VMS -> " of the image " + name(snapshot.images(), limit.of());
            case LEASES -> " of the network " + name(snapshot.networks(), limit.of());
            default -> limit.clusters().isEmpty() ? "" : clusters(limit);
        };
    }

    private String clusters(Quotas.Limit limit) {
        return (limit.clusters().size() == 1 ? " in the cluster " : " in the clusters ")
                + limit.clusters().stream()
                        .sorted()
                        .map(id -> name(snapshot.clusters(), id))
                        .collect(Collectors.joining(", "));
    }

    private static String name(List<? extends Snapshot.Thing> all, int id) {
        return all.stream()
                .filter(one -> one.id() == id)
                .map(Snapshot.Thing::name)
                .findFirst()
                .orElse(String.valueOf(id));
    }

    /** Only data disks: the size of images from files and addresses is known only to the front-end. */
    private void room(Snapshot.Datastore store, List<Diagnostic> faults) {
        var by = space.getOrDefault(store.id(), Map.of());
        long needed = sum(by);
        if (store.freeMebibytes() >= 0 && needed > store.freeMebibytes()) {
            faults.add(Diagnostic.error(
                    Code.OPENNEBULA_DATASTORE_FULL,
                    "The datastore " + store.name() + " of " + snapshot.front() + " has " + store.freeMebibytes()
                            + " MiB free, and the site's data disks need " + needed + ".",
                    "Make them smaller, delete images that are not needed, or name another datastore in"
                            + " provider.opennebula.datastore."));
        }
    }

    private static String words(Map<String, Long> by) {
        return by.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }

    private static long number(String text) {
        return Long.parseLong(text.replaceAll("[^0-9]", ""));
    }
}
