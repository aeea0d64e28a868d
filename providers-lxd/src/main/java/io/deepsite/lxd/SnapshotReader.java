package io.deepsite.lxd;

import io.deepsite.diag.Failure;
import io.deepsite.parallel.Fanout;
import io.deepsite.site.ProviderSettings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Reads a {@link Snapshot}: one request per family, all at once. */
final class SnapshotReader {
    /** Requests at a time: as many as there are families. */
    private static final int AT_ONCE = 8;

    private final Rest rest;
    private final Faults faults;
    private final ProviderSettings.Lxd settings;

    SnapshotReader(Rest rest, Faults faults, ProviderSettings.Lxd settings) {
        this.rest = rest;
        this.faults = faults;
        this.settings = settings;
    }

    Snapshot read() {
        var server = rest.get(rest.path(), Server.class);
        if (!server.auth().equals("trusted")) {
            throw new Failure(faults.notTrusted(
                    "LXD at " + faults.endpoint() + " answers, but does not trust this client. Nothing was changed."));
        }
        var pools = new Pools(rest);
        var networks = new Networks(rest);
        try (var fanout = new Fanout(AT_ONCE)) {
            var instances = fanout.start(this::instances);
            var allPools = fanout.start(pools::all);
            var allNetworks = fanout.start(networks::all);
            var leases = fanout.start(() -> networks.leases(settings.network()));
            var images = fanout.start(() -> rest.list(rest.path("images"), Image.class));
            var hardware = fanout.start(() -> rest.get(rest.path("resources"), Hardware.class));
            // Begun here and not by a task: one that waited for another would keep a place that the other needs.
            var volumes = new TreeMap<String, Supplier<List<Volume>>>();
            allPools.get().forEach(pool -> volumes.put(pool.name(), fanout.start(() -> pools.volumes(pool.name()))));
            // Of a pool that is not there LXD says 500, not 404.
            var space = fanout.start(() -> allPools.get().stream()
                    .filter(pool -> pool.name().equals(settings.pool().name()))
                    .findFirst()
                    .flatMap(pool -> pools.space(pool.name())));
            return new Snapshot(
                    settings.endpoint(),
                    server,
                    instances.get(),
                    allPools.get(),
                    got(volumes),
                    allNetworks.get(),
                    leases.get(),
                    hostSubnets(networks, allNetworks.get()),
                    images.get(),
                    hardware.get().gpu().cards(),
                    space.get());
        }
    }

    /** Of every project: addresses and GPUs are used there too. */
    private List<Instance> instances() {
        return rest.list(rest.path("instances").addQueryParameter("all-projects", "true"), Instance.class);
    }

    /** Read only for a network that has to be made. */
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
