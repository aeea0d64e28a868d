package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.parallel.Fanout;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Reads a {@link Snapshot}: one request per family, all at once. */
final class SnapshotReader {
    /** Requests at a time: one per family. */
    private static final int AT_ONCE = 8;

    private final Rest rest;
    private final Faults faults;
    private final DaemonSettings settings;
    private final HostLook host;

    SnapshotReader(Rest rest, Faults faults, DaemonSettings settings, HostLook host) {
        this.rest = rest;
        this.faults = faults;
        this.settings = settings;
        this.host = host;
    }

    Snapshot read() {
        var server = rest.get(rest.everywhere(), Server.class);
        if (!server.auth().equals("trusted")) {
            throw new Failure(
                    faults.notTrusted(faults.at() + " answers, but does not trust this client. Nothing was changed."));
        }
        // First: for objects of a missing project LXD answers 404, or nothing.
        var project = project();
        var pools = new Pools(rest);
        var networks = new Networks(rest);
        try (var fanout = new Fanout(AT_ONCE)) {
            var instances = fanout.start(this::instances);
            var allPools = fanout.start(pools::all);
            var allNetworks = fanout.start(networks::all);
            var leases = fanout.start(() -> networks.leases(settings.network()));
            var images = fanout.start(() -> rest.list(rest.path("images"), Image.class));
            var hardware = fanout.start(() -> rest.get(rest.everywhere("resources"), Hardware.class));
            var profiles = fanout.start(() -> rest.list(rest.path("profiles"), Snapshot.Profile.class));
            var members = fanout.start(() -> members(server));
            var warnings = fanout.start(this::warnings);
            // Started here, not by a task: a task that waits for another would block a slot that the other needs.
            var volumes = new TreeMap<String, Supplier<List<Volume>>>();
            allPools.get().forEach(pool -> volumes.put(pool.name(), fanout.start(() -> pools.volumes(pool.name()))));
            // For a missing pool LXD answers 500, not 404.
            var space = fanout.start(() -> allPools.get().stream()
                    .filter(pool -> pool.name().equals(settings.pool().name()))
                    .findFirst()
                    .flatMap(pool -> pools.space(pool.name())));
            return new Snapshot(
                    settings.address(),
                    server,
                    project,
                    instances.get(),
                    allPools.get(),
                    got(volumes),
                    allNetworks.get(),
                    leases.get(),
                    hostSubnets(networks, allNetworks.get()),
                    images.get(),
                    hardware.get().gpu().cards(),
                    space.get(),
                    profiles.get(),
                    members.get(),
                    hardware.get().ports(),
                    warnings.get(),
                    host.faults());
        }
    }

    private Snapshot.Project project() {
        return rest.find(rest.everywhere("projects", settings.project()), Snapshot.Project.class)
                .map(Rest.Etagged::value)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.LXD_PROJECT_UNUSABLE,
                        settings.address() + " has no project " + settings.project()
                                + ", or does not show it to this client. Nothing was changed.",
                        "Name an existing one, or create it. With these features it uses the images and profiles of the"
                                + " default project:",
                        settings.daemon()
                                .client("project create " + settings.project()
                                        + " -c features.images=false -c features.profiles=false"))));
    }

    private List<Snapshot.Member> members(Server server) {
        var environment = server.environment();
        return environment != null && environment.serverClustered()
                ? rest.list(rest.everywhere("cluster", "members"), Snapshot.Member.class)
                : List.of();
    }

    /** They hold the reason why a host cannot run virtual machines. */
    private List<Snapshot.Warning> warnings() {
        return settings.groups().values().stream().anyMatch(LxdMachines::virtualMachines)
                ? rest.list(rest.everywhere("warnings"), Snapshot.Warning.class)
                : List.of();
    }

    /** The instances of all projects: they use addresses and GPUs too. */
    private List<Instance> instances() {
        return rest.list(rest.everywhere("instances").addQueryParameter("all-projects", "true"), Instance.class);
    }

    /** Read only if the network is missing. */
    private List<String> hostSubnets(Networks networks, List<Network> all) {
        return all.stream().anyMatch(network -> network.name().equals(settings.network()))
                ? List.of()
                : networks.subnets(all).values().stream()
                        .flatMap(List::stream)
                        .sorted()
                        .toList();
    }

    private static Map<String, List<Volume>> got(Map<String, Supplier<List<Volume>>> volumes) {
        var all = new TreeMap<String, List<Volume>>();
        volumes.forEach((pool, listed) -> all.put(pool, listed.get()));
        return all;
    }
}
