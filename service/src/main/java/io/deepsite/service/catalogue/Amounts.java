package io.deepsite.service.catalogue;

import io.deepsite.site.GpuRequest;
import io.deepsite.site.Site;
import java.util.List;

/**
 * What a site takes of its project's quota.
 *
 * @param memory bytes
 */
public record Amounts(int sites, int machines, int cpus, long memory, int gpus) {
    public static final Amounts NONE = new Amounts(0, 0, 0, 0, 0);

    public static Amounts of(Site site) {
        var sum = new Amounts(1, 0, 0, 0, 0);
        for (var entry : site.machines().entrySet()) {
            var group = entry.getValue();
            int count = site.machineNames(entry.getKey()).size();
            int gpus = group.gpus().stream().mapToInt(GpuRequest::cards).sum();
            sum = sum.plus(new Amounts(
                    0, count, count * group.cpus(), count * group.memory().bytes(), count * gpus));
        }
        return sum;
    }

    public static Amounts sum(List<Amounts> all) {
        return all.stream().reduce(NONE, Amounts::plus);
    }

    /** Of each the larger one. */
    public Amounts most(Amounts other) {
        return new Amounts(
                Math.max(sites, other.sites),
                Math.max(machines, other.machines),
                Math.max(cpus, other.cpus),
                Math.max(memory, other.memory),
                Math.max(gpus, other.gpus));
    }

    /** Without what is there already. */
    public Amounts beyond(Amounts other) {
        return new Amounts(
                Math.max(0, sites - other.sites),
                Math.max(0, machines - other.machines),
                Math.max(0, cpus - other.cpus),
                Math.max(0, memory - other.memory),
                Math.max(0, gpus - other.gpus));
    }

    public Amounts plus(Amounts other) {
        return new Amounts(
                sites + other.sites,
                machines + other.machines,
                cpus + other.cpus,
                memory + other.memory,
                gpus + other.gpus);
    }
}
