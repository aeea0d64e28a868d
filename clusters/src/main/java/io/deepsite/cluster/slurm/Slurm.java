package io.deepsite.cluster.slurm;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Ordered;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.Size;
import io.deepsite.site.Span;
import io.deepsite.site.Volume;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A Slurm batch system. */
public record Slurm(
        @Key(value = "The group (of one machine) that runs slurmctld.", example = "head", impact = ChangeImpact.REPLACE)
        Name controller,

        @Key(
                value = "The groups whose machines run jobs.",
                example = "[node]",
                required = true,
                impact = ChangeImpact.FILE)
        List<Name> compute,

        @Key(
                value =
                        "The major release of Slurm on all its machines, which upgrades of the system then leave alone. A newer"
                                + " one upgrades Slurm in order, with its jobs. Without it, the release that a machine's archives had.",
                example = "22.05",
                pattern = SlurmRelease.PATTERN,
                impact = ChangeImpact.RESTART)
        Optional<String> version,

        @Key(value = "Partitions by name. Without any there is one, `batch`, of all nodes.", impact = ChangeImpact.FILE)
        Map<Name, Partition> partitions,

        @Key(
                value = "Keep accounts of jobs in a database on the controller.",
                defaultValue = "true",
                impact = ChangeImpact.RESTART)
        boolean accounting,

        @Key(
                value = "Accounts by name, a tree. Without any all users share one, named as the site.",
                impact = ChangeImpact.FILE)
        Map<Name, Account> accounts,

        @Key(value = "QOS by name, beside Slurm's own `normal`.", impact = ChangeImpact.FILE)
        Map<Name, Qos> qos,

        @Key(value = "Nodes that are kept free for some, or for nobody, at a time.", impact = ChangeImpact.FILE)
        Map<Name, Reservation> reservations,

        @Key(value = "What decides which job starts next.", impact = ChangeImpact.FILE)
        Priority priority,

        @Key(
                value = "What happens to a job that makes way: it waits again, or it is cancelled.",
                defaultValue = "requeue",
                choices = {"requeue", "cancel"},
                impact = ChangeImpact.FILE)
        String preemption,

        @Key(
                value =
                        "Memory of a job that asks for none, for each of its processors. Without it, a node's part for one"
                                + " processor.",
                example = "2GiB",
                impact = ChangeImpact.FILE)
        Optional<Size> defaultMemoryPerCpu,

        @Key(
                value =
                        "Most memory for each processor of a job. A job that asks for more gets, and pays, more processors.",
                example = "8GiB",
                impact = ChangeImpact.FILE)
        Optional<Size> maxMemoryPerCpu,

        @Key(
                value =
                        "Compute groups that get more nodes while jobs wait, by name. `deepsite elastic` must run to make and"
                                + " remove them.",
                impact = ChangeImpact.RESTART)
        Map<Name, ElasticNodes> elastic,

        @Key(value = "Compute groups whose cards several jobs share at a time, by name.", impact = ChangeImpact.RESTART)
        Map<Name, GpuSharing> gpuSharing,

        @Key(value = "A /home that all machines share.", impact = ChangeImpact.REBOOT)
        Home home,

        @Key(value = "What users find on all machines of the cluster.", impact = ChangeImpact.FILE)
        Software software,

        @Key(
                value = "Metrics of the machines and of Slurm for Prometheus. Without it there are none; `{}` lets the"
                        + " controller alone read them.",
                impact = ChangeImpact.FILE)
        Optional<Monitoring> monitoring,

        @Key(
                value =
                        "Slurm's REST interface, on the controller's loopback and for tokens only. Without it there is none.",
                impact = ChangeImpact.RESTART)
        Optional<Rest> rest,

        @Key(
                value =
                        "The cluster in a grid's information system, in GLUE 2. Without it there is none; `{}` is for the"
                                + " controller itself.",
                impact = ChangeImpact.FILE)
        Optional<Glue2> glue2,

        @Key(value = "Space for temporary files of jobs.", impact = ChangeImpact.RESTART)
        Scratch scratch)
        implements Cluster {
    public Slurm {
        compute = List.copyOf(compute);
        partitions = Ordered.copy(partitions);
        accounts = Ordered.copy(accounts);
        qos = Ordered.copy(qos);
        reservations = Ordered.copy(reservations);
        elastic = Ordered.copy(elastic);
        gpuSharing = Ordered.copy(gpuSharing);
    }

    @Override
    public String kind() {
        return "slurm";
    }

    @Override
    public Set<Name> groups() {
        var groups = new LinkedHashSet<Name>();
        groups.add(controller);
        groups.addAll(compute);
        return groups;
    }

    @Override
    public List<Part> parts() {
        return List.of(new Part("controller", List.of(controller)), new Part("compute", compute));
    }

    /** A queue with its own limits. */
    public record Partition(
            @Key(value = "Machine groups in it; all compute groups when left out.", impact = ChangeImpact.FILE)
            List<Name> groups,

            @Key(value = "Longest job.", example = "2d", impact = ChangeImpact.FILE, confined = true)
            Optional<Span> maxTime,

            @Key(
                    value = "Time of a job that asks for none.",
                    example = "1h",
                    impact = ChangeImpact.FILE,
                    confined = true)
            Optional<Span> defaultTime,

            @Key(value = "Most nodes of one job.", example = "4", impact = ChangeImpact.FILE, min = 1)
            Optional<Integer> maxNodes,

            @Key(value = "Like the cluster's `defaultMemoryPerCpu`, for this partition.", impact = ChangeImpact.FILE)
            Optional<Size> defaultMemoryPerCpu,

            @Key(value = "Like the cluster's `maxMemoryPerCpu`, for this partition.", impact = ChangeImpact.FILE)
            Optional<Size> maxMemoryPerCpu,

            @Key(value = "Unix groups that may use it; everybody when left out.", impact = ChangeImpact.FILE)
            List<Name> allowGroups,

            @Key(
                    value =
                            "QOS whose limits count for all jobs in it, before those of a job's own QOS and of accounts. Jobs"
                                    + " need not name it.",
                    example = "short",
                    impact = ChangeImpact.RESTART)
            Optional<Name> qos,

            @Key(
                    value = "QOS that a job in it may have; any when left out.",
                    example = "[urgent]",
                    impact = ChangeImpact.RESTART)
            List<Name> allowQos,

            @Key(
                    value = "QOS that no job in it has.",
                    example = "[scavenger]",
                    excludes = @OtherKeys(value = "allowQos", why = Partition.ONE_LIST),
                    impact = ChangeImpact.RESTART)
            List<Name> denyQos,

            @Key(
                    value = "Accounts whose jobs it takes, with those below them; all when left out.",
                    example = "[physics]",
                    impact = ChangeImpact.FILE)
            List<Name> allowAccounts,

            @Key(
                    value = "Accounts whose jobs it takes not, with those below them.",
                    example = "[students]",
                    excludes = @OtherKeys(value = "allowAccounts", why = Partition.ONE_LIST),
                    impact = ChangeImpact.FILE)
            List<Name> denyAccounts,

            @Key(
                    value = "Jobs that name no partition come here.",
                    name = "default",
                    defaultValue = "false",
                    impact = ChangeImpact.FILE)
            boolean isDefault) {
        static final String ONE_LIST = "Slurm does not look at what is denied where something is allowed.";

        public Partition {
            groups = List.copyOf(groups);
            allowGroups = List.copyOf(allowGroups);
            allowQos = List.copyOf(allowQos);
            denyQos = List.copyOf(denyQos);
            allowAccounts = List.copyOf(allowAccounts);
            denyAccounts = List.copyOf(denyAccounts);
        }
    }

    /** Shared home folders. */
    public record Home(
            @Key(
                    value = "Share /home between the machines of the cluster.",
                    defaultValue = "true",
                    impact = ChangeImpact.REBOOT)
            boolean shared,

            @Key(
                    value = "Size of the shared volume, where the provider makes one.",
                    example = "10GiB",
                    impact = ChangeImpact.FILE)
            Optional<Size> size,

            @Key(
                    value =
                            "Leave the shared volume on the back-end when the site is destroyed or its lease is over; the next"
                                    + " site of the same name takes it up with its contents.",
                    defaultValue = "false",
                    impact = ChangeImpact.FILE,
                    beyond = true)
            boolean keep,

            @Key(
                    value = "An export of an NFS server that exists already and trusts root of these machines"
                            + " (no_root_squash), in place of a volume or folder of the site's own.",
                    example = "filer.example.org:/export/home",
                    pattern = Volume.EXPORT,
                    excludes = {
                        @OtherKeys(value = "size", code = Code.NO_EFFECT),
                        @OtherKeys(value = "keep", code = Code.NO_EFFECT)
                    },
                    requires = @OtherKeys(value = "shared=true", code = Code.NO_EFFECT),
                    impact = ChangeImpact.FILE)
            Optional<String> nfs) {}
}
