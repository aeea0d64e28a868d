package io.deepsite.lxd;

import io.deepsite.diag.Failure;
import io.deepsite.site.ProviderSettings;
import java.util.List;
import java.util.TreeMap;

/** Reads a {@link Snapshot}: one request per family, all at once. */
final class SnapshotReader {
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
        try (var fanout = new Fanout(faults)) {
            var instances = fanout.start(this::instances);
            var allPools = fanout.start(pools::all);
            var volumes = fanout.start(() -> {
                var byPool = new TreeMap<String, List<Volume>>();
                var names = allPools.get().stream().map(Pool::name).toList();
                var listed = fanout.each(names, pools::volumes);
                for (int i = 0; i < names.size(); i++) {
                    byPool.put(names.get(i), listed.get(i));
                }
                return byPool;
            });
            // Of a pool that is not there LXD says 500, not 404.
            var space = fanout.start(() -> allPools.get().stream()
                    .filter(pool -> pool.name().equals(settings.pool().name()))
                    .findFirst()
                    .flatMap(pool -> pools.space(pool.name())));
            var allNetworks = fanout.start(networks::all);
            var leases = fanout.start(() -> networks.leases(settings.network()));
            var images = fanout.start(() -> rest.list(rest.path("images"), Image.class));
            var hardware = fanout.start(() -> rest.get(rest.path("resources"), Hardware.class));
            return new Snapshot(
                    settings.endpoint(),
                    server,
                    instances.get(),
                    allPools.get(),
                    volumes.get(),
                    allNetworks.get(),
                    leases.get(),
                    hostSubnets(fanout, networks, allNetworks.get()),
                    images.get(),
                    hardware.get().gpu().cards(),
                    space.get());
        }
    }

    /** Of every project: addresses and GPUs are used there too. */
    private List<Instance> instances() {
        return rest.list(rest.path("instances").addQueryParameter("all-projects", "true"), Instance.class);
    }

    private List<String> hostSubnets(Fanout fanout, Networks networks, List<Network> all) {
        if (all.stream().anyMatch(network -> network.name().equals(settings.network()))) {
            return List.of();
        }
        var names = all.stream().map(Network::name).toList();
        return fanout.each(names, networks::state).stream()
                .flatMap(state -> state.stream().flatMap(found -> found.addresses().stream()))
                .filter(address -> address.family().equals("inet"))
                .map(address -> address.address() + "/" + address.netmask())
                .sorted()
                .toList();
    }
}
