package io.deepsite.cluster.openstack;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.secrets;
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
import io.deepsite.site.load.CheckContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An OpenStack cloud whose hypervisor is LXD. The pool comes first: a new installation then finds it, and an existing
 * one gets Nova's options and a service that runs with them.
 */
public final class OpenStackKind implements ClusterKind<OpenStackCloud> {
    /** The driver of the role lxd_gpus, beside nova-lxd's own. */
    static final String DRIVER_WITH_GPUS = "deepsite_nova_lxd.LXDDriver";

    @Override
    public String name() {
        return "openstack";
    }

    @Override
    public Class<OpenStackCloud> model() {
        return OpenStackCloud.class;
    }

    @Override
    public void check(CheckContext context, Name name, OpenStackCloud cluster) {
        new OpenStackCloudChecks(context, name, cluster).run();
    }

    @Override
    public Requirements requirements(Site site, Name name, OpenStackCloud cloud) {
        var groups = new LinkedHashMap<Name, Requirements.Group>();
        cloud.groups()
                .forEach(group ->
                        groups.put(group, new Requirements.Group(true, List.of(), List.of(), 1, Optional.empty())));
        return new Requirements(groups, List.of());
    }

    @Override
    public List<Stage> stages(Site site, Name name, OpenStackCloud cloud, List<Machine> machines) {
        var hosts = in(cloud.compute(), machines);
        var stages = new ArrayList<>(LxdHostKind.stages(name, cloud.lxd(), hosts, Optional.of(unit(cloud))));
        if (cloud.byOpenStackAnsible()) {
            return new OpenStackAnsibleLayout(site, name, cloud, machines).stages(stages);
        }
        var before = stages.getLast().name();
        if (cloud.byDevStack() && !cloud.given()) {
            stages.add(stage(name, "devstack", hosts, machine -> devStack(name, cloud, machine), List.of(before)));
            before = name + ".devstack";
        }
        stages.add(stage(name, "nova_lxd", hosts, _ -> options(cloud, hosts), List.of(before)));
        stages.add(stage(
                name,
                "nova_lxd_service",
                hosts,
                _ -> Map.of(
                        "nova_lxd_service_conf",
                        conf(cloud),
                        "nova_lxd_service_unit",
                        unit(cloud),
                        "nova_lxd_service_options",
                        new TreeMap<>(options(cloud, hosts))),
                List.of(name + ".nova_lxd")));
        return stages;
    }

    private static Map<String, Object> options(OpenStackCloud cloud, List<Machine> hosts) {
        return Map.of(
                "nova_lxd_driver", LxdHostKind.haveGpus(hosts) ? DRIVER_WITH_GPUS : "lxd.LXDDriver",
                "nova_lxd_conf", conf(cloud),
                "nova_lxd_service", unit(cloud),
                "nova_lxd_pool", cloud.lxd().pool(),
                "nova_lxd_root_dir", rootDir(cloud.lxd()));
    }

    /**
     * nova-lxd (293df79, driver.py) reads a btrfs pool's figures with statvfs of root_dir, and has no other use for it than
     * instances under {@code containers}, which a pool's folder has, too. The snap mounts its pools where no other service
     * sees them.
     */
    static String rootDir(LxdStorage lxd) {
        return lxd.given() ? "/var/snap/lxd/common/lxd" : "/var/lib/lxd/storage-pools/" + lxd.pool();
    }

    private static Map<String, Object> devStack(Name name, OpenStackCloud cloud, Machine machine) {
        var sources = cloud.sources();
        return Map.ofEntries(
                Map.entry("devstack_repository", sources.devstackFrom()),
                Map.entry("devstack_commit", sources.devstackCommit().orElseThrow()),
                Map.entry("devstack_release", cloud.release()),
                Map.entry("devstack_mirror", sources.opendevFrom()),
                Map.entry("devstack_nova_lxd_repository", sources.novaLxdFrom()),
                Map.entry(
                        "devstack_nova_lxd_commit",
                        sources.novaLxdAt(cloud.release()).orElseThrow()),
                Map.entry("devstack_address", SiteStages.address(machine)),
                Map.entry("devstack_services", cloud.services()),
                Map.entry("devstack_secrets", secrets(cloud, name)));
    }

    private static String conf(OpenStackCloud cloud) {
        return cloud.nova().conf().orElse(cloud.byDevStack() ? "/etc/nova/nova-cpu.conf" : "/etc/nova/nova.conf");
    }

    private static String unit(OpenStackCloud cloud) {
        return cloud.nova().service().orElse(cloud.byDevStack() ? "devstack@n-cpu.service" : "nova-compute.service");
    }

    @Override
    public List<Acceptance> acceptance(Site site, Name name, OpenStackCloud cloud, List<Machine> machines) {
        var proofs = new ArrayList<Acceptance>();
        if (cloud.byOpenStackAnsible()) {
            var layout = new OpenStackAnsibleLayout(site, name, cloud, machines);
            proofs.add(new Acceptance(
                    name.value(), cloud.kind(), layout.deployment().name(), "openstack/verify.sh.j2", layout.proof()));
        }
        for (var machine : in(cloud.compute(), machines)) {
            var variables = new TreeMap<>(LxdHostKind.proof(cloud.lxd(), machine));
            variables.put("lxd_verify_nova", Map.of("conf", conf(cloud), "unit", unit(cloud)));
            proofs.add(new Acceptance(name.value(), cloud.kind(), machine.name(), "lxd/verify.sh.j2", variables));
        }
        return proofs;
    }

    @Override
    public CommandPrefix commandPrefix(
            Site site, Name name, OpenStackCloud cloud, List<Machine> machines, Optional<Name> user) {
        throw new Failure(Diagnostic.error(
                Code.NOT_WITH_KIND,
                name + " is an OpenStack cloud: it runs instances, not commands.",
                "Start an instance with OpenStack's own client: openstack server create."));
    }
}
