package io.deepsite.cluster.slurm;

import io.deepsite.diag.Code;
import io.deepsite.site.ImageName;
import io.deepsite.site.MachineCount;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.NamedGroup;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What must hold between the keys of a Slurm cluster. */
final class SlurmChecks {
    private static final Pattern RELEASE = Pattern.compile("(debian|ubuntu)/[0-9.]+");

    private final CheckContext context;
    private final Site site;
    private final Places places;
    private final Findings findings;
    private final Name cluster;
    private final Slurm slurm;
    private final String path;
    private final Set<Name> unixGroups = new HashSet<>();

    SlurmChecks(CheckContext context, Name cluster, Slurm slurm) {
        this.context = context;
        this.site = context.site();
        this.places = context.places();
        this.findings = context.findings();
        this.cluster = cluster;
        this.slurm = slurm;
        this.path = "clusters." + cluster;
        site.users().forEach((name, user) -> {
            unixGroups.add(name);
            unixGroups.addAll(user.groups());
        });
    }

    void run() {
        controller();
        NamedGroup.of(slurm.compute(), path + ".compute").forEach(context::groupExists);
        new SlurmUpgrade(site, cluster, slurm).check(context);
        if (slurm.version().isEmpty()) {
            oneRelease();
        }
        SlurmStorage.check(context, cluster, slurm, path);
        if (!findings.isUnsound(path + ".compute") && computeIsEmpty(slurm.compute())) {
            findings.fault(
                    Code.NO_COMPUTE,
                    places.of(path + ".compute"),
                    "Every group it computes on has count: 0.",
                    "Give one of them a machine.");
        }
        long defaults = slurm.partitions().values().stream()
                .filter(Slurm.Partition::isDefault)
                .count();
        slurm.partitions().forEach((name, partition) -> {
            String place = path + ".partitions." + name;
            partition(name, partition, place);
            if (partition.isDefault() && defaults > 1) {
                findings.faultOnce(
                        Code.SEVERAL_DEFAULTS,
                        places.of(place + ".default"),
                        "A job that names no partition goes to one; " + defaults + " say they are it.",
                        "Keep default: true at one of them.");
            }
        });
        new SlurmAccountChecks(context, slurm, path).run();
        new SlurmPartitionChecks(context, slurm, path).run();
        new SlurmReservationChecks(context, slurm, path).run();
        new SlurmSoftwareChecks(context, slurm, path).run();
        new SlurmMonitoring(site, cluster, slurm).check(context);
        new SlurmGlue2(site, cluster, slurm).check(context);
        new SlurmRest(cluster, slurm).check(context);
        new SlurmElasticChecks(context, slurm, path).run();
        new SlurmGpuSharingChecks(context, slurm, path).run();
        var groups = new ArrayList<>(NamedGroup.of(slurm.compute(), path + ".compute"));
        groups.addFirst(new NamedGroup(slurm.controller(), path + ".controller"));
        context.claim("Slurm", cluster, groups);
    }

    public static MachineCount controllers(Name cluster, Slurm slurm) {
        return new MachineCount(
                slurm.controller(),
                MachineCount.Rule.ONE,
                "the controller of the cluster " + cluster,
                "One slurmctld keeps the queue.",
                Code.CONTROLLER_COUNT);
    }

    private void controller() {
        String place = path + ".controller";
        if (findings.isUnsound(place) || !context.groupExists(new NamedGroup(slurm.controller(), place))) {
            return;
        }
        context.count(controllers(cluster, slurm), place);
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
    private void oneRelease() {
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

    private boolean computeIsEmpty(List<Name> compute) {
        return !compute.isEmpty()
                && !site.provider().machinesExist()
                && compute.stream().allMatch(name -> {
                    var group = site.machines().get(name);
                    return group != null
                            && group.count().orElse(1) == 0
                            && !findings.isUnsound("machines." + name + ".count");
                });
    }

    private void partition(Name name, Slurm.Partition partition, String path) {
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
                        "No user of this site is in the group " + group + ", so it would let no user in.",
                        "Add the group to a user's groups.");
            }
        }
        times(partition, path);
    }

    private void times(Slurm.Partition partition, String path) {
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
}
