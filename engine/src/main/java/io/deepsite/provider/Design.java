package io.deepsite.provider;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Resources and machines of a site on one back-end.
 *
 * @param resources in no particular order; {@code dependsOn} orders them
 * @param machines in the order of site.yaml
 * @param buses by name of the machine: of those that exist, give devices away and showed what they have
 */
public record Design(List<Resource> resources, List<Machine> machines, SortedMap<String, PciBus> buses, Bill bill) {
    public Design {
        resources = List.copyOf(resources);
        machines = List.copyOf(machines);
        buses = new TreeMap<>(buses);
    }

    /** As a provider compiles it, who looks at no machine from inside. */
    public Design(List<Resource> resources, List<Machine> machines, Bill bill) {
        this(resources, machines, new TreeMap<>(), bill);
    }

    /** The same of a back-end that limits nothing. */
    public Design(List<Resource> resources, List<Machine> machines) {
        this(resources, machines, Bill.NONE);
    }

    public Design withResources(List<Resource> others) {
        return new Design(others, machines, buses, bill);
    }

    /** With what is known of the machines from inside. */
    public Design measured(List<Machine> others, SortedMap<String, PciBus> found) {
        return new Design(resources, others, found, bill);
    }

    public Map<String, Machine> byName() {
        return machines.stream().collect(Collectors.toUnmodifiableMap(Machine::name, machine -> machine));
    }
}
