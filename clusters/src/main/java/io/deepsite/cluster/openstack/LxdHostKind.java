package io.deepsite.cluster.openstack;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.stage;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.NamedGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Independent LXD hosts: each is configured and tested alone. */
public final class LxdHostKind implements ClusterKind<LxdHost> {
    private static final Size MEMORY = Size.parse("512MiB");

    @Override
    public String name() {
        return "lxd-host";
    }

    @Override
    public Class<LxdHost> model() {
        return LxdHost.class;
    }

    @Override
    public void check(CheckContext context, Name name, LxdHost cluster) {
        var path = "clusters." + name;
        context.claim("LXD", name, NamedGroup.of(cluster.hosts(), path + ".hosts"));
        new LxdStorageChecks(context.site(), context.places(), context.findings(), cluster.lxd(), path + ".lxd").run();
    }

    @Override
    public Requirements requirements(Site site, Name name, LxdHost cluster) {
        var groups = new LinkedHashMap<Name, Requirements.Group>();
        cluster.hosts()
                .forEach(group ->
                        groups.put(group, new Requirements.Group(true, List.of(), List.of(), 1, Optional.of(MEMORY))));
        return new Requirements(groups, List.of());
    }

    @Override
    public List<Stage> stages(Site site, Name name, LxdHost cluster, List<Machine> machines) {
        return stages(name, cluster.lxd(), in(cluster.hosts(), machines), Optional.empty());
    }

    /**
     * LXD, its pool, and GPUs for its instances, for every kind with LXD hosts.
     *
     * @param nova the unit of Nova whose instances get GPUs, too: on every host, if any host has one
     */
    static List<Stage> stages(Name name, LxdStorage lxd, List<Machine> hosts, Optional<String> nova) {
        var stages = new ArrayList<>(List.of(
                stage(
                        name,
                        "lxd_host",
                        hosts,
                        _ -> host(lxd),
                        lxd.users().isEmpty()
                                ? List.of(SiteStages.HOSTS)
                                : List.of(SiteStages.HOSTS, SiteStages.USERS)),
                stage(name, "lxd_storage_pool", hosts, _ -> pool(lxd), List.of(name + ".lxd_host"))));
        if (haveGpus(hosts)) {
            stages.add(stage(
                    name,
                    "lxd_gpus",
                    nova.isPresent()
                            ? hosts
                            : hosts.stream()
                                    .filter(machine -> !machine.gpus().isEmpty())
                                    .toList(),
                    machine -> Map.of("lxd_gpus_count", machine.gpus().size(), "lxd_gpus_nova", nova.orElse("")),
                    List.of(name + ".lxd_storage_pool")));
        }
        return stages;
    }

    static boolean haveGpus(List<Machine> hosts) {
        return hosts.stream().anyMatch(machine -> !machine.gpus().isEmpty());
    }

    private static Map<String, Object> host(LxdStorage lxd) {
        return Map.of(
                "lxd_host_packages",
                lxd.given() ? List.of() : List.of("lxd", "lxd-client"),
                "lxd_host_tuning",
                lxd.tuning(),
                "lxd_host_migrate",
                lxd.migrate(),
                "lxd_host_users",
                lxd.users().stream().map(Name::value).toList(),
                "lxd_host_mtu",
                lxd.mtu().orElse(0));
    }

    private static Map<String, Object> pool(LxdStorage lxd) {
        return Map.of(
                "lxd_storage_pool_name",
                lxd.pool(),
                "lxd_storage_pool_driver",
                lxd.driver(),
                "lxd_storage_pool_size",
                lxd.size().toString(),
                "lxd_storage_pool_source",
                lxd.device().orElse(""),
                "lxd_storage_pool_alone",
                lxd.removesLeftover(),
                "lxd_storage_pool_move",
                lxd.moveInstances(),
                "lxd_storage_pool_unit",
                lxd.given() ? "snap.lxd.daemon.service" : "lxd.service");
    }

    @Override
    public List<Acceptance> acceptance(Site site, Name name, LxdHost cluster, List<Machine> machines) {
        return in(cluster.hosts(), machines).stream()
                .map(machine -> new Acceptance(
                        name.value(),
                        cluster.kind(),
                        machine.name(),
                        "lxd/verify.sh.j2",
                        proof(cluster.lxd(), machine)))
                .toList();
    }

    static SortedMap<String, Object> proof(LxdStorage lxd, Machine machine) {
        return new TreeMap<>(Map.of(
                "lxd_verify_host",
                machine.name(),
                "lxd_verify_pool",
                lxd.pool(),
                "lxd_verify_driver",
                lxd.driver(),
                "lxd_verify_container",
                machine.container(),
                "lxd_verify_gpus",
                machine.gpus().size(),
                "lxd_verify_nova",
                Map.of()));
    }

    @Override
    public CommandPrefix commandPrefix(
            Site site, Name name, LxdHost cluster, List<Machine> machines, Optional<Name> user) {
        throw new Failure(Diagnostic.error(
                Code.NOT_WITH_KIND,
                name + " consists of LXD hosts: they run instances, not commands.",
                "Start an instance on one of them: lxc launch.",
                "deepsite ssh " + in(cluster.hosts(), machines).getFirst().name()));
    }
}
