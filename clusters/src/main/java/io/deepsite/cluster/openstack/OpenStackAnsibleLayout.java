package io.deepsite.cluster.openstack;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.secrets;
import static io.deepsite.cluster.ClusterStages.stage;

import io.deepsite.cluster.KnownHostsEntry;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Marker;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.site.IpAddress;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Release;
import io.deepsite.site.Site;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Assigns the parts of a cloud installed by openstack-ansible to machines, with the variables of the roles that prepare
 * and run it.
 */
final class OpenStackAnsibleLayout {
    private static final int MEMORY_MIB = 15 * 1024;
    private static final int DISK_GIB = 75;
    private static final BigInteger FIRST = BigInteger.valueOf(11);

    private final Site site;
    private final Name name;
    private final OpenStackCloud cloud;
    private final OpenStackNetworks networks;
    private final List<Machine> control;
    private final List<Machine> all;
    private final Map<String, String> addresses;
    private final String secrets;

    OpenStackAnsibleLayout(Site site, Name name, OpenStackCloud cloud, List<Machine> machines) {
        this.site = site;
        this.name = name;
        this.cloud = cloud;
        networks = cloud.networks().orElseThrow();
        control = in(cloud.control(), machines);
        all = in(cloud.groups(), machines);
        addresses = addresses();
        secrets = secrets(cloud, name);
    }

    /** The machine that runs openstack-ansible. */
    Machine deployment() {
        return control.getFirst();
    }

    List<Stage> stages(List<Stage> pool) {
        var stages = new ArrayList<>(pool);
        stages.add(stage(name, "openstack_target", all, this::target, List.of(SiteStages.HOSTS)));
        var before = new ArrayList<>(List.of(name + ".openstack_target"));
        pool.forEach(stage -> before.add(stage.name()));
        stages.add(stage(name, "openstack_ansible", List.of(deployment()), _ -> installer(), before)
                .afterEveryHost());
        return stages;
    }

    private Map<String, Object> target(Machine machine) {
        var bridges = new HostBridges(networks);
        return Map.of(
                "openstack_target_ssh_key",
                secrets + "ssh_key",
                "openstack_target_packages",
                packages(machine),
                "openstack_target_bridges",
                bridges.names(),
                "openstack_target_files",
                files(bridges.files(address(machine))),
                "openstack_target_memory",
                cloud.smallHosts() ? 0 : MEMORY_MIB,
                "openstack_target_disk",
                cloud.smallHosts() ? 0 : DISK_GIB);
    }

    /**
     * The name of Python 2 in the distributions of these releases; later ones, which a site may try, have no such
     * package.
     */
    private List<String> packages(Machine machine) {
        var packages = new ArrayList<>(List.of("bridge-utils", "debootstrap", "lsof", "lvm2", "vlan"));
        boolean later = Optional.ofNullable(site.machines().get(machine.group()))
                .flatMap(MachineGroup::image)
                .flatMap(Release::of)
                .isPresent();
        if (!later) {
            packages.add("python");
        }
        return packages;
    }

    private Map<String, Object> installer() {
        var files = config().files();
        var sources = cloud.sources();
        var commit = sources.openstackAnsibleAt(cloud.release()).orElseThrow();
        var from = String.join(
                "\n",
                sources.openstackAnsibleFrom(),
                commit,
                sources.opendevFrom(),
                sources.github().orElse(""));
        return Map.of(
                "openstack_ansible_repository",
                sources.openstackAnsibleFrom(),
                "openstack_ansible_commit",
                commit,
                "openstack_ansible_mirrors",
                mirrors(),
                "openstack_ansible_files",
                files(files),
                "openstack_ansible_ssh_key",
                secrets + "ssh_key",
                "openstack_ansible_known_hosts",
                all.stream()
                        .map(machine -> KnownHostsEntry.of(machine, address(machine)))
                        .toList(),
                "openstack_ansible_sources",
                Digests.sha256(from),
                "openstack_ansible_digest",
                Digests.sha256(from + Marker.masked(files.toString())));
    }

    OpenStackAnsibleConfig config() {
        var compute = in(cloud.compute(), all);
        return new OpenStackAnsibleConfig(
                cloud, networks, vip(), of(control), of(compute), LxdHostKind.haveGpus(compute), secrets);
    }

    private String vip() {
        return networks.internalVip().map(IpAddress::toString).orElseGet(() -> {
            if (control.size() > 1) {
                throw new Failure(Diagnostic.error(
                        Code.MISSING_KEY,
                        name + " has " + control.size() + " control machines, but no shared address.",
                        "Add networks.internalVip, a free address in "
                                + networks.management().range() + "."));
            }
            return address(deployment());
        });
    }

    private Map<String, String> of(List<Machine> machines) {
        var map = new LinkedHashMap<String, String>();
        machines.forEach(machine -> map.put(machine.name(), address(machine)));
        return map;
    }

    private List<Map<String, Object>> mirrors() {
        var mirrors = new ArrayList<Map<String, Object>>();
        cloud.sources()
                .opendev()
                .ifPresent(to -> mirrors.add(mirror(to, "https://opendev.org/", "https://git.openstack.org/")));
        cloud.sources().github().ifPresent(to -> mirrors.add(mirror(to, "https://github.com/")));
        return mirrors;
    }

    private static Map<String, Object> mirror(String to, String... from) {
        return Map.of("to", to + "/", "from", List.of(from));
    }

    private static List<Map<String, Object>> files(Map<String, String> texts) {
        return texts.entrySet().stream()
                .map(file -> Map.<String, Object>of("path", file.getKey(), "text", file.getValue()))
                .toList();
    }

    private String address(Machine machine) {
        return Objects.requireNonNull(addresses.get(machine.name()));
    }

    /** A host reached in the management network keeps that address; the others get theirs in sequence. */
    private Map<String, String> addresses() {
        var range = networks.management().range();
        var taken = new TreeMap<String, String>();
        for (var machine : all) {
            machine.address()
                    .filter(address ->
                            IpAddress.find(address).filter(range::contains).isPresent())
                    .ifPresent(address -> taken.put(machine.name(), address));
        }
        var next = networks.firstHost().map(range::position).orElse(FIRST);
        for (var machine : all) {
            while (!taken.containsKey(machine.name())) {
                var address = range.at(next).toString();
                boolean isVip = networks.internalVip()
                        .map(IpAddress::toString)
                        .filter(address::equals)
                        .isPresent();
                if (!taken.containsValue(address) && !isVip) {
                    taken.put(machine.name(), address);
                }
                next = next.add(BigInteger.ONE);
            }
        }
        return taken;
    }

    SortedMap<String, Object> proof() {
        return new TreeMap<>(Map.of("openstack_verify_host", deployment().name()));
    }
}
