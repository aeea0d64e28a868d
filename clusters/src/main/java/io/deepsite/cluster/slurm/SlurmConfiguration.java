package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;

import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Machine;
import io.deepsite.site.ImageName;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What slurm.conf, gres.conf and the acceptance script are rendered from. */
final class SlurmConfiguration {
    /** Images whose Slurm is older than 23.11, which Ubuntu 24.04 has. */
    private static final Pattern BEFORE_24 = Pattern.compile("debian/1[0-2]|ubuntu/(18|20|22)\\.04");

    /** Images whose Slurm is older than 22.05. */
    private static final Pattern BEFORE_22_05 = Pattern.compile("debian/1[01]|ubuntu/(18|20|22)\\.04");

    private SlurmConfiguration() {}

    /** Whether its packages certainly are: files of what deepsite 0.1 made stay as they are. */
    static boolean isBefore24(Site site, Slurm slurm) {
        var release = slurm.version().flatMap(SlurmRelease::of);
        if (release.isPresent()) {
            return release.get().isBefore("23.11");
        }
        return image(site, slurm, BEFORE_24).isPresent();
    }

    /** The controller's image, if the packages of it certainly are older than 22.05. */
    static Optional<ImageName> imageBefore2205(Site site, Slurm slurm) {
        return image(site, slurm, BEFORE_22_05);
    }

    private static Optional<ImageName> image(Site site, Slurm slurm, Pattern names) {
        return Optional.ofNullable(site.machines().get(slurm.controller()))
                .flatMap(MachineGroup::image)
                .filter(image -> names.matcher(image.value()).matches());
    }

    static Map<String, Object> controller(Name name, SlurmElastic elastic, Machine head, List<Machine> machines) {
        var slurm = elastic.slurm();
        var nodes = elastic.all(machines);
        var variables = new LinkedHashMap<String, Object>();
        variables.put("slurm_controller_cluster", name.value());
        variables.put("slurm_controller_host", Map.of("name", head.name(), "address", SiteStages.address(head)));
        variables.put("slurm_controller_containers", nodes.stream().anyMatch(Machine::container));
        variables.put(
                "slurm_controller_nodes",
                nodes.stream()
                        .map(node -> elastic.isElastic(node) ? elasticNode(slurm, node) : node(slurm, node))
                        .toList());
        variables.put("slurm_controller_partitions", partitions(elastic.site(), slurm, nodes));
        if (!elastic.groups().isEmpty()) {
            variables.put("slurm_controller_elastic", elastic.groups());
        }
        variables.put(
                "slurm_controller_memory_per_cpu_mib",
                slurm.defaultMemoryPerCpu()
                        .map(SlurmAccounts::mebibytes)
                        .orElseGet(() -> nodes.stream()
                                .mapToLong(node -> node.promisedMebibytes() / node.cpus())
                                .min()
                                .orElse(1)));
        variables.put("slurm_controller_max_memory_per_cpu_mib", mebibytes(slurm.maxMemoryPerCpu()));
        variables.put("slurm_controller_counts", SlurmAccounts.counts(slurm));
        variables.put("slurm_controller_priority", priority(slurm.priority()));
        variables.put(
                "slurm_controller_preemption",
                preemption(slurm).isEmpty() ? "" : slurm.preemption().toUpperCase(Locale.ROOT));
        variables.put("slurm_controller_accounting", slurm.accounting());
        variables.put("slurm_controller_pmix", slurm.software().usesPmix());
        variables.put(
                "slurm_controller_infiniband", slurm.software().infiniband().isPresent());
        variables.put("slurm_controller_gpu_shares", new SlurmGpuSharing(slurm).kinds());
        variables.put("slurm_controller_verify_user", SiteStages.VERIFY_USER);
        variables.put("slurm_controller_before_24", isBefore24(elastic.site(), slurm));
        variables.putAll(new SlurmRest(name, slurm).controller());
        variables.putAll(SlurmStorage.variables(slurm));
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
    static long mebibytes(Optional<Size> size) {
        return size.map(SlurmAccounts::mebibytes).orElse(0L);
    }

    static List<String> shares(Slurm slurm) {
        return slurm.accounts().entrySet().stream()
                .map(entry -> entry.getKey() + "|" + entry.getValue().fairShare())
                .toList();
    }

    /** One QOS, another that makes way for it, and the seconds that its jobs get; empty where none does. */
    static List<Object> preemption(Slurm slurm) {
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

    /** Its address is known when it registers. */
    private static Map<String, Object> elasticNode(Slurm slurm, Machine machine) {
        var node = node(slurm, machine);
        node.put("address", "");
        return node;
    }

    static Map<String, Object> node(Slurm slurm, Machine machine) {
        var node = new LinkedHashMap<String, Object>();
        node.put("name", machine.name());
        node.put("address", SiteStages.address(machine));
        node.put("cpus", machine.cpus());
        node.put("memory_mib", machine.promisedMebibytes());
        node.put("gpus", new SlurmGpuSharing(slurm).cards(machine));
        return node;
    }

    /** A model as a GRES type: letters, digits, hyphen and underscore. */
    static String type(String model) {
        return model.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]+", "-").replaceAll("^-|-$", "");
    }

    static List<Map<String, Object>> partitions(Site site, Slurm slurm, List<Machine> machines) {
        var access = new SlurmPartitions(site, slurm);
        var partitions = new ArrayList<Map<String, Object>>();
        if (slurm.partitions().isEmpty()) {
            partitions.add(partition("batch", names(slurm.compute(), machines), true, Optional.empty(), access));
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
                    Optional.of(partition),
                    access));
        });
        return partitions;
    }

    private static Map<String, Object> partition(
            String name,
            List<String> nodes,
            boolean isDefault,
            Optional<Slurm.Partition> limits,
            SlurmPartitions access) {
        var partition = new LinkedHashMap<String, Object>();
        partition.put("name", name);
        partition.put("nodes", nodes);
        partition.put("default", isDefault);
        partition.put(
                "max_time",
                limits.flatMap(Slurm.Partition::maxTime)
                        .map(SlurmConfiguration::time)
                        .orElse(""));
        partition.put(
                "default_time",
                limits.flatMap(Slurm.Partition::defaultTime)
                        .map(SlurmConfiguration::time)
                        .orElse(""));
        partition.put("default_memory_per_cpu_mib", mebibytes(limits.flatMap(Slurm.Partition::defaultMemoryPerCpu)));
        partition.put("max_memory_per_cpu_mib", mebibytes(limits.flatMap(Slurm.Partition::maxMemoryPerCpu)));
        partition.put("max_nodes", limits.flatMap(Slurm.Partition::maxNodes).orElse(0));
        partition.put(
                "allow_groups",
                limits.map(Slurm.Partition::allowGroups).orElse(List.of()).stream()
                        .map(Name::value)
                        .toList());
        access.put(limits, partition);
        return partition;
    }

    /** Days-hours:minutes:seconds. */
    static String time(Span span) {
        var time = span.duration();
        return "%d-%02d:%02d:%02d"
                .formatted(time.toDays(), time.toHoursPart(), time.toMinutesPart(), time.toSecondsPart());
    }

    private static List<String> names(List<Name> groups, List<Machine> machines) {
        return in(groups, machines).stream().map(Machine::name).toList();
    }
}
