package io.deepsite.cluster;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.stage;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Name;
import io.deepsite.site.OpenStackCloud;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Compute hosts of an OpenStack cloud whose hypervisor is LXD: its pool first, then Nova's options, then the running service. */
final class OpenStackBlueprint implements Blueprint<OpenStackCloud> {
    private static final String DEVSTACK = "devstack";

    @Override
    public Requirements requirements(Site site, Name name, OpenStackCloud cloud) {
        var groups = new LinkedHashMap<Name, Requirements.Group>();
        cloud.compute()
                .forEach(group ->
                        groups.put(group, new Requirements.Group(true, List.of(), List.of(), 1, Optional.empty())));
        return new Requirements(groups, List.of());
    }

    @Override
    public List<Stage> stages(Site site, Name name, OpenStackCloud cloud, List<Machine> machines) {
        var hosts = in(cloud.compute(), machines);
        var stages = new ArrayList<>(LxdHostBlueprint.stages(name, cloud.lxd(), hosts));
        stages.add(stage(
                name,
                "nova_lxd",
                hosts,
                machine -> options(cloud, machine),
                List.of(stages.getLast().name())));
        stages.add(stage(
                name,
                "nova_lxd_service",
                hosts,
                machine -> Map.of(
                        "nova_lxd_service_conf",
                        conf(cloud),
                        "nova_lxd_service_unit",
                        unit(cloud),
                        "nova_lxd_service_options",
                        new TreeMap<>(options(cloud, machine))),
                List.of(name + ".nova_lxd")));
        return stages;
    }

    private static Map<String, Object> options(OpenStackCloud cloud, Machine machine) {
        return Map.of(
                "nova_lxd_gpus", !machine.gpus().isEmpty(),
                "nova_lxd_conf", conf(cloud),
                "nova_lxd_service", unit(cloud),
                "nova_lxd_pool", cloud.lxd().pool(),
                "nova_lxd_root_dir", cloud.lxd().given() ? "/var/snap/lxd/common/lxd" : "/var/lib/lxd");
    }

    private static String conf(OpenStackCloud cloud) {
        return cloud.nova()
                .conf()
                .orElse(cloud.method().equals(DEVSTACK) ? "/etc/nova/nova-cpu.conf" : "/etc/nova/nova.conf");
    }

    private static String unit(OpenStackCloud cloud) {
        return cloud.nova()
                .service()
                .orElse(cloud.method().equals(DEVSTACK) ? "devstack@n-cpu.service" : "nova-compute.service");
    }

    @Override
    public List<Acceptance> acceptance(Site site, Name name, OpenStackCloud cloud, List<Machine> machines) {
        return in(cloud.compute(), machines).stream()
                .map(machine -> {
                    var variables = new TreeMap<>(LxdHostBlueprint.proof(cloud.lxd(), machine));
                    variables.put("lxd_verify_nova", Map.of("conf", conf(cloud), "unit", unit(cloud)));
                    return new Acceptance(name.value(), cloud.kind(), machine.name(), "lxd/verify.sh.j2", variables);
                })
                .toList();
    }

    @Override
    public FrontDoor frontDoor(
            Site site, Name name, OpenStackCloud cloud, List<Machine> machines, Optional<Name> user) {
        throw new Failure(Diagnostic.error(
                Code.NOT_WITH_KIND,
                name + " is an OpenStack cloud: it runs instances, and no commands.",
                "Start an instance with OpenStack's own client: openstack server create."));
    }
}
