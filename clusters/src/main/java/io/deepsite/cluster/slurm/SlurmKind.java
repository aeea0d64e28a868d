package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.stage;
import static io.deepsite.cluster.ClusterStages.variables;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.Span;
import io.deepsite.site.load.CheckContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A Slurm cluster: a controller with the whole configuration, nodes that fetch theirs from it, munge between them,
 * accounting in a database, a shared /home.
 */
public final class SlurmKind implements ClusterKind<Slurm> {
    /** Images with Slurm 23.11 or older. */
    private static final Pattern BEFORE_24 = Pattern.compile("debian/1[0-2]|ubuntu/(18|20|22|24)\\.04");

    private static final String CTLD_PORTS = "6817-6819";
    private static final String SLURMD_PORT = "6818";
    /** SrunPortRange of slurm.conf. */
    private static final String SRUN_PORTS = "60001-63000";

    private static final String NFS_PORT = "2049";

    @Override
    public String name() {
        return "slurm";
    }

    @Override
    public Class<Slurm> model() {
        return Slurm.class;
    }

    @Override
    public void check(CheckContext context, Name name, Slurm cluster) {
        new SlurmChecks(context, name, cluster).run();
    }

    @Override
    public Requirements requirements(Site site, Name name, Slurm slurm) {
        var volumes = slurm.home().shared()
                ? List.of(new SharedVolume(name + "-home", "/home", slurm.home().size()))
                : List.<SharedVolume>of();
        var groups = new LinkedHashMap<Name, Requirements.Group>();
        slurm.groups()
                .forEach(group ->
                        groups.put(group, new Requirements.Group(false, volumes, List.of(), 1, Optional.empty())));
        var flows = new ArrayList<Flow>();
        for (var group : slurm.compute()) {
            flows.add(new Flow(group, slurm.controller(), "tcp", CTLD_PORTS));
            flows.add(new Flow(slurm.controller(), group, "tcp", SLURMD_PORT));
            flows.add(new Flow(group, slurm.controller(), "tcp", SRUN_PORTS));
            if (slurm.home().shared()) {
                flows.add(new Flow(group, slurm.controller(), "tcp", NFS_PORT));
            }
            for (var other : slurm.compute()) {
                flows.add(new Flow(group, other, "tcp", SLURMD_PORT));
                flows.add(new Flow(group, other, "tcp", SRUN_PORTS));
            }
        }
        return new Requirements(groups, flows).with(SlurmChecks.controllers(name, slurm));
    }

    @Override
    public List<Stage> stages(Site site, Name name, Slurm slurm, List<Machine> machines) {
        var head = controller(slurm, machines);
        var nodes = nodes(slurm, machines);
        var all = in(slurm.groups(), machines);
        var headMap = Map.<String, Object>of("name", head.name(), "address", address(head));
        var stages = new ArrayList<Stage>();
        if (slurm.home().shared()) {
            stages.addAll(homes(name, head, all));
        }
        stages.add(stage(name, "munge", all, _ -> Map.of(), List.of(SiteStages.HOSTS, SiteStages.USERS)));
        var beforeController = new ArrayList<>(List.of(name + ".munge"));
        if (slurm.accounting()) {
            stages.add(stage(
                    name,
                    "slurm_accounting",
                    List.of(head),
                    _ -> Map.of("slurm_accounting_host", headMap),
                    List.of(name + ".munge")));
            beforeController.add(name + ".slurm_accounting");
        }
        stages.add(stage(
                name,
                "slurm_controller",
                List.of(head),
                _ -> controller(name, slurm, head, machines, isBefore24(site, slurm)),
                beforeController));
        if (slurm.accounting()) {
            stages.add(stage(
                    name,
                    "slurm_accounts",
                    List.of(head),
                    _ -> accounts(site, name, slurm),
                    List.of(name + ".slurm_controller")));
        }
        stages.add(new Stage(
                name + ".slurm_node",
                "slurm_node",
                variables(
                        nodes,
                        _ -> Map.of("slurm_node_controller", headMap, "slurm_node_before_24", isBefore24(site, slurm))),
                0,
                List.of(name + ".munge", name + ".slurm_controller"),
                false));
        return stages;
    }

    @Override
    public List<Acceptance> acceptance(Site site, Name name, Slurm slurm, List<Machine> machines) {
        var variables = new TreeMap<String, Object>();
        variables.put("slurm_verify_user", SiteStages.VERIFY_USER);
        variables.put(
                "slurm_verify_nodes",
                nodes(slurm, machines).stream().map(SlurmKind::node).toList());
        variables.put(
                "slurm_verify_partitions",
                partitions(slurm, machines).stream()
                        .map(partition -> partition.get("name"))
                        .toList());
        variables.put("slurm_verify_accounting", slurm.accounting());
        variables.put("slurm_verify_shared_home", slurm.home().shared());
        variables.put("slurm_verify_default_memory_mib", mebibytes(slurm.defaultMemoryPerCpu()));
        variables.put("slurm_verify_max_memory_mib", mebibytes(slurm.maxMemoryPerCpu()));
        variables.put("slurm_verify_limits", slurm.accounting() ? new SlurmLimitProofs(site, slurm).all() : List.of());
        variables.put("slurm_verify_shares", slurm.accounting() ? shares(slurm) : List.of());
        variables.put("slurm_verify_preemption", slurm.accounting() ? preemption(slurm) : List.of());
        return List.of(new Acceptance(
                name.value(), slurm.kind(), controller(slurm, machines).name(), "slurm/verify.sh.j2", variables));
    }

    @Override
    public CommandPrefix commandPrefix(Site site, Name name, Slurm slurm, List<Machine> machines, Optional<Name> user) {
        var who = user.map(Name::value)
                .or(() -> site.users().keySet().stream().findFirst().map(Name::value));
        var login = who.orElse(SiteStages.VERIFY_USER);
        var home = "/home/" + login;
        // srun passes its environment and folder to the job: root's would be wrong there.
        var argv = new ArrayList<>(List.of(
                "runuser",
                "-u",
                login,
                "--",
                "env",
                "--chdir=" + home,
                "HOME=" + home,
                "USER=" + login,
                "LOGNAME=" + login,
                "srun"));
        if (who.isEmpty()) {
            argv.add("--partition=" + SiteStages.VERIFY_USER);
        }
        return new CommandPrefix(controller(slurm, machines).name(), argv);
    }

    private static List<String> shares(Slurm slurm) {
        return slurm.accounts().entrySet().stream()
                .map(entry -> entry.getKey() + "|" + entry.getValue().fairShare())
                .toList();
    }

    /** One QOS, another that makes way for it, and the seconds that its jobs get; empty where none does. */
    private static List<Object> preemption(Slurm slurm) {
        return slurm.qos().entrySet().stream()
                .filter(entry -> !entry.getValue().preempts().isEmpty())
                .findFirst()
                .map(entry -> {
                    var low = entry.getValue().preempts().getFirst();
                    var grace = Optional.ofNullable(slurm.qos().get(low)).flatMap(Qos::graceTime);
                    return List.<Object>of(
                            entry.getKey().value(),
                            low.value(),
                            grace.map(time -> time.duration().toSeconds()).orElse(0L));
                })
                .orElse(List.of());
    }

    private static List<Stage> homes(Name name, Machine head, List<Machine> all) {
        if (all.stream().allMatch(Machine::container)) {
            return List.of(stage(name, "shared_home", all, _ -> Map.of("shared_home_by", "provider"), List.of()));
        }
        var others = all.stream().filter(machine -> !machine.equals(head)).toList();
        var export = Map.<String, Object>of(
                "shared_home_by",
                "nfs_server",
                "shared_home_clients",
                others.stream().map(SlurmKind::address).toList());
        var mount = Map.<String, Object>of("shared_home_by", "nfs_client", "shared_home_server", address(head));
        var exported = new Stage(
                name + ".exported_home", "shared_home", variables(List.of(head), _ -> export), 0, List.of(), false);
        return others.isEmpty()
                ? List.of()
                : List.of(exported, stage(name, "shared_home", others, _ -> mount, List.of(exported.name())));
    }

    /** Whether its packages certainly are: files of what deepsite 0.1 made stay as they are. */
    private static boolean isBefore24(Site site, Slurm slurm) {
        return Optional.ofNullable(site.machines().get(slurm.controller()))
                .flatMap(MachineGroup::image)
                .filter(image -> BEFORE_24.matcher(image.value()).matches())
                .isPresent();
    }

    private static Map<String, Object> controller(
            Name name, Slurm slurm, Machine head, List<Machine> machines, boolean before24) {
        var nodes = nodes(slurm, machines);
        var variables = new LinkedHashMap<String, Object>();
        variables.put("slurm_controller_cluster", name.value());
        variables.put("slurm_controller_host", Map.of("name", head.name(), "address", address(head)));
        variables.put("slurm_controller_containers", nodes.stream().anyMatch(Machine::container));
        variables.put(
                "slurm_controller_nodes", nodes.stream().map(SlurmKind::node).toList());
        variables.put("slurm_controller_partitions", partitions(slurm, machines));
        variables.put(
                "slurm_controller_memory_per_cpu_mib",
                slurm.defaultMemoryPerCpu()
                        .map(SlurmAccounts::mebibytes)
                        .orElseGet(() -> nodes.stream()
                                .mapToLong(node -> node.promisedMebibytes() / node.cpus())
                                .min()
                                .orElse(1)));
        variables.put("slurm_controller_max_memory_per_cpu_mib", mebibytes(slurm.maxMemoryPerCpu()));
        variables.put("slurm_controller_priority", priority(slurm.priority()));
        variables.put(
                "slurm_controller_preemption",
                preemption(slurm).isEmpty() ? "" : slurm.preemption().toUpperCase(Locale.ROOT));
        variables.put("slurm_controller_accounting", slurm.accounting());
        variables.put("slurm_controller_verify_user", SiteStages.VERIFY_USER);
        variables.put("slurm_controller_before_24", before24);
        return variables;
    }

    private static Map<String, Object> priority(Priority priority) {
        return Map.of(
                "fair_share", priority.fairShare(),
                "qos", priority.qos(),
                "age", priority.age(),
                "job_size", priority.jobSize(),
                "max_age", time(priority.maxAge()),
                "half_life", time(priority.halfLife()));
    }

    /** 0 for none. */
    private static long mebibytes(Optional<Size> size) {
        return size.map(SlurmAccounts::mebibytes).orElse(0L);
    }

    private static Map<String, Object> accounts(Site site, Name name, Slurm slurm) {
        return Map.of(
                "slurm_accounts_cluster",
                name.value(),
                "slurm_accounts_account",
                site.name().value(),
                "slurm_accounts_entries",
                new SlurmAccounts(site, slurm).entries());
    }

    private static Map<String, Object> node(Machine machine) {
        var node = new LinkedHashMap<String, Object>();
        node.put("name", machine.name());
        node.put("address", address(machine));
        node.put("cpus", machine.cpus());
        node.put("memory_mib", machine.promisedMebibytes());
        node.put(
                "gpus",
                machine.gpus().stream()
                        .map(gpu -> Map.of("model", type(gpu.model()), "file", gpu.device()))
                        .toList());
        return node;
    }

    /** A model as a GRES type: letters, digits, hyphen and underscore. */
    private static String type(String model) {
        return model.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]+", "-").replaceAll("^-|-$", "");
    }

    private static List<Map<String, Object>> partitions(Slurm slurm, List<Machine> machines) {
        var partitions = new ArrayList<Map<String, Object>>();
        if (slurm.partitions().isEmpty()) {
            partitions.add(partition("batch", names(slurm.compute(), machines), true, Optional.empty()));
        }
        // Without a default partition Slurm refuses a job that names none; if none is marked, the first becomes the
        // default.
        boolean noneMarked = slurm.partitions().values().stream().noneMatch(Slurm.Partition::isDefault);
        slurm.partitions().forEach((name, partition) -> {
            var groups = partition.groups().isEmpty() ? slurm.compute() : partition.groups();
            partitions.add(partition(
                    name.value(),
                    names(groups, machines),
                    partition.isDefault() || (noneMarked && partitions.isEmpty()),
                    Optional.of(partition)));
        });
        return partitions;
    }

    private static Map<String, Object> partition(
            String name, List<String> nodes, boolean isDefault, Optional<Slurm.Partition> limits) {
        var partition = new LinkedHashMap<String, Object>();
        partition.put("name", name);
        partition.put("nodes", nodes);
        partition.put("default", isDefault);
        partition.put(
                "max_time",
                limits.flatMap(Slurm.Partition::maxTime).map(SlurmKind::time).orElse(""));
        partition.put(
                "default_time",
                limits.flatMap(Slurm.Partition::defaultTime)
                        .map(SlurmKind::time)
                        .orElse(""));
        partition.put("default_memory_per_cpu_mib", mebibytes(limits.flatMap(Slurm.Partition::defaultMemoryPerCpu)));
        partition.put("max_memory_per_cpu_mib", mebibytes(limits.flatMap(Slurm.Partition::maxMemoryPerCpu)));
        partition.put("max_nodes", limits.flatMap(Slurm.Partition::maxNodes).orElse(0));
        partition.put(
                "allow_groups",
                limits.map(Slurm.Partition::allowGroups).orElse(List.of()).stream()
                        .map(Name::value)
                        .toList());
        return partition;
    }

    /** Days-hours:minutes:seconds. */
    static String time(Span span) {
        var time = span.duration();
        return "%d-%02d:%02d:%02d"
                .formatted(time.toDays(), time.toHoursPart(), time.toMinutesPart(), time.toSecondsPart());
    }

    private static Machine controller(Slurm slurm, List<Machine> machines) {
        return in(slurm.controller(), machines).getFirst();
    }

    private static List<Machine> nodes(Slurm slurm, List<Machine> machines) {
        return in(slurm.compute(), machines);
    }

    private static List<String> names(List<Name> groups, List<Machine> machines) {
        return in(groups, machines).stream().map(Machine::name).toList();
    }

    private static String address(Machine machine) {
        return SiteStages.address(machine);
    }
}
