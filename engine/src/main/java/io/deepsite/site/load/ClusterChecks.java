package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.Cluster;
import io.deepsite.site.ImageName;
import io.deepsite.site.Kubernetes;
import io.deepsite.site.LxdHost;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Mesos;
import io.deepsite.site.Name;
import io.deepsite.site.OpenNebula;
import io.deepsite.site.OpenStackCloud;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Site;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Clusters stand on machine groups that exist and suit them. */
final class ClusterChecks {
    private static final Pattern RELEASE = Pattern.compile("(debian|ubuntu)/[0-9.]+");

    private final Site site;
    private final Places places;
    private final Findings findings;
    private final Set<Name> unixGroups = new HashSet<>();

    ClusterChecks(Site site, Places places, Findings findings) {
        this.site = site;
        this.places = places;
        this.findings = findings;
        site.users().forEach((name, user) -> {
            unixGroups.add(name);
            unixGroups.addAll(user.groups());
        });
    }

    void run() {
        var slurmGroups = new HashMap<Name, Name>();
        var kubernetesGroups = new HashMap<Name, Name>();
        var nebulaGroups = new HashMap<Name, Name>();
        var lxdGroups = new HashMap<Name, Name>();
        var mesosGroups = new HashMap<Name, Name>();
        site.clusters().forEach((name, cluster) -> {
            String path = "clusters." + name;
            switch (cluster) {
                case Cluster.Slurm slurm -> {
                    slurm(slurm, path);
                    oneCluster(name, slurm, slurmGroups);
                }
                case Kubernetes kubernetes -> {
                    var checks = new KubernetesChecks(site, places, findings, kubernetes, path);
                    claim(name, checks.groups(), "Kubernetes", kubernetesGroups);
                    checks.run();
                }
                case OpenNebula cloud -> {
                    var checks = new OpenNebulaChecks(site, places, findings, cloud, path);
                    claim(name, checks.groups(), "OpenNebula", nebulaGroups);
                    checks.run();
                }
                case OpenStackCloud cloud -> {
                    NamedGroup.of(cloud.control(), path + ".control")
                            .forEach(named -> groupExists(named.group(), named.place()));
                    claim(name, NamedGroup.of(cloud.compute(), path + ".compute"), "LXD", lxdGroups);
                    new OpenStackCloudChecks(site, places, findings, cloud, path).run();
                }
                case LxdHost host -> {
                    claim(name, NamedGroup.of(host.hosts(), path + ".hosts"), "LXD", lxdGroups);
                    new LxdStorageChecks(site, places, findings, host.lxd(), path + ".lxd").run();
                }
                case Mesos mesos -> {
                    var checks = new MesosChecks(site, places, findings, mesos, path);
                    claim(name, checks.groups(), "Mesos", mesosGroups);
                    checks.run();
                }
            }
        });
    }

    private void slurm(Cluster.Slurm slurm, String path) {
        controller(slurm, path);
        for (int i = 0; i < slurm.compute().size(); i++) {
            groupExists(slurm.compute().get(i), path + ".compute[" + i + "]");
        }
        oneRelease(slurm, path);
        if (!findings.isUnsound(path + ".compute") && computeIsEmpty(slurm.compute())) {
            findings.fault(
                    Code.NO_COMPUTE,
                    places.of(path + ".compute"),
                    "Every group it computes on has count: 0.",
                    "Give one of them a machine.");
        }
        long defaults = slurm.partitions().values().stream()
                .filter(Cluster.Partition::isDefault)
                .count();
        slurm.partitions().forEach((name, partition) -> {
            String place = path + ".partitions." + name;
            partition(slurm, name, partition, place);
            if (partition.isDefault() && defaults > 1) {
                findings.faultOnce(
                        Code.SEVERAL_DEFAULTS,
                        places.of(place + ".default"),
                        "A job that names no partition goes to one; " + defaults + " say they are it.",
                        "Keep default: true at one of them.");
            }
        });
    }

    private void controller(Cluster.Slurm slurm, String path) {
        String place = path + ".controller";
        if (findings.isUnsound(place) || !groupExists(slurm.controller(), place)) {
            return;
        }
        var group = site.machines().get(slurm.controller());
        int machines = group == null ? 1 : group.count().orElse(1);
        if (machines != 1 && !findings.isUnsound("machines." + slurm.controller() + ".count")) {
            findings.fault(
                    Code.CONTROLLER_COUNT,
                    places.of(place),
                    "The group " + slurm.controller() + " has " + machines + " machines.",
                    "Name a group of one machine.");
        }
        int shared = slurm.compute().indexOf(slurm.controller());
        if (shared >= 0 && !findings.isUnsound(path + ".compute")) {
            findings.fault(
                    Code.GROUP_TWICE,
                    places.of(path + ".compute[" + shared + "]"),
                    slurm.controller()
                            + " is the controller of the same cluster. The controller alone holds slurm.conf;"
                            + " compute nodes get it from there.",
                    "Compute on another group.");
        }
    }

    /** Only names that say what is inside; of other images nothing is known before they run. */
    private void oneRelease(Cluster.Slurm slurm, String path) {
        var head = release(slurm.controller());
        for (int i = 0; i < slurm.compute().size(); i++) {
            var group = slurm.compute().get(i);
            var node = release(group);
            if (head.isPresent() && node.isPresent() && !head.equals(node)) {
                findings.fault(
                        Code.MIXED_RELEASES,
                        places.of(path + ".compute[" + i + "]"),
                        "The machines of " + group + " run " + node.get() + ", the controller " + head.get()
                                + ": their packages of Slurm are different releases, which do not work together.",
                        "Give the groups " + slurm.controller() + " and " + group + " the same image.");
            }
        }
    }

    private Optional<String> release(Name group) {
        return Optional.ofNullable(site.machines().get(group))
                .flatMap(MachineGroup::image)
                .map(ImageName::value)
                .filter(RELEASE.asMatchPredicate());
    }

    private boolean groupExists(Name group, String path) {
        if (site.machines().containsKey(group)) {
            return true;
        }
        if (!findings.isUnsound(path) && !findings.isUnsound("machines." + group)) {
            var known = site.machines().keySet().stream().map(Name::value).toList();
            findings.fault(
                    Code.NO_SUCH_GROUP,
                    places.of(path),
                    "There is no group " + group + " under machines"
                            + (known.isEmpty() ? "." : ", only " + Wording.allOf(known) + "."),
                    Wording.didYouMean(group.value(), known, "Name one of them, or add the group under machines."));
        }
        return false;
    }

    private boolean computeIsEmpty(List<Name> compute) {
        return !compute.isEmpty()
                && !(site.provider() instanceof ProviderSettings.Static)
                && compute.stream().allMatch(name -> {
                    var group = site.machines().get(name);
                    return group != null
                            && group.count().orElse(1) == 0
                            && !findings.isUnsound("machines." + name + ".count");
                });
    }

    private void partition(Cluster.Slurm slurm, Name name, Cluster.Partition partition, String path) {
        if (name.value().equals("default")) {
            findings.fault(
                    Code.RESERVED_NAME,
                    places.ofKey(path),
                    "Slurm reads PartitionName=DEFAULT as defaults for the other partitions.",
                    "Name it otherwise, and write \"default: true\" in it.");
        }
        for (int i = 0; i < partition.groups().size(); i++) {
            var group = partition.groups().get(i);
            String place = path + ".groups[" + i + "]";
            if (!slurm.compute().contains(group)
                    && !findings.isUnsound(place)
                    && !findings.isUnsound(path.substring(0, path.indexOf(".partitions")) + ".compute")) {
                findings.fault(
                        Code.NOT_IN_CLUSTER,
                        places.of(place),
                        group + " is not among the cluster's compute groups: " + Wording.allOf(slurm.compute()) + ".",
                        Wording.didYouMean(
                                group.value(),
                                slurm.compute().stream().map(Name::value).toList(),
                                "Add it to compute, or remove it here."));
            }
        }
        for (int i = 0; i < partition.allowGroups().size(); i++) {
            var group = partition.allowGroups().get(i);
            if (!unixGroups.contains(group)
                    && !findings.isUnsound("users")
                    && !findings.isUnsound(path + ".allowGroups")) {
                findings.fault(
                        Code.NO_SUCH_USER_GROUP,
                        places.of(path + ".allowGroups[" + i + "]"),
                        "No user of this site is in the group " + group + ", so nobody could use the partition by it.",
                        "Add the group to a user's groups.");
            }
        }
        times(partition, path);
    }

    private void times(Cluster.Partition partition, String path) {
        if (partition.maxTime().isEmpty() || partition.defaultTime().isEmpty()) {
            return;
        }
        var max = partition.maxTime().get();
        var standard = partition.defaultTime().get();
        if (standard.compareTo(max) > 0
                && !findings.isUnsound(path + ".maxTime")
                && !findings.isUnsound(path + ".defaultTime")) {
            findings.fault(
                    Code.WRONG_ORDER,
                    places.of(path + ".defaultTime"),
                    "A job that asks for no time would get " + standard + ", but no job may be longer than " + max
                            + ".",
                    "Make defaultTime at most " + max + ".");
        }
    }

    /** One machine runs one slurmd or one slurmctld. */
    private void oneCluster(Name cluster, Cluster.Slurm slurm, Map<Name, Name> taken) {
        for (Name group : slurm.groups()) {
            var other = taken.putIfAbsent(group, cluster);
            if (other != null && !other.equals(cluster) && site.machines().containsKey(group)) {
                String path = "clusters." + cluster;
                int at = slurm.compute().indexOf(group);
                findings.fault(
                        Code.GROUP_TWICE,
                        places.of(at >= 0 ? path + ".compute[" + at + "]" : path + ".controller"),
                        "The machines of " + group + " belong to the Slurm cluster " + other
                                + " already, and a machine can be in one only.",
                        "Make a machine group of its own for " + cluster + ".");
            }
        }
    }

    /** Groups that must exist, and be in no other cluster of the kind. */
    private void claim(Name cluster, List<NamedGroup> groups, String kind, Map<Name, Name> taken) {
        groups.stream()
                .filter(named -> groupExists(named.group(), named.place()))
                .forEach(named -> oneCluster(cluster, named, kind, taken));
    }

    /** One machine runs one kubelet, is a host of one OpenNebula, and a master or an agent of one Mesos. */
    private void oneCluster(Name cluster, NamedGroup named, String kind, Map<Name, Name> taken) {
        var other = taken.putIfAbsent(named.group(), cluster);
        if (other != null && !other.equals(cluster)) {
            findings.fault(
                    Code.GROUP_TWICE,
                    places.of(named.place()),
                    "The machines of " + named.group() + " belong to the " + kind + " cluster " + other
                            + " already, and a machine can be in one only.",
                    "Make a machine group of its own for " + cluster + ".");
        }
    }
}
