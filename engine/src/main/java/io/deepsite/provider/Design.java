package io.deepsite.provider;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Resources and machines of a site on one back-end.
 *
 * @param resources in no particular order; {@code dependsOn} orders them
 * @param machines in the order of site.yaml
 */
public record Design(List<Resource> resources, List<Machine> machines) {
    public Design {
        resources = List.copyOf(resources);
        machines = List.copyOf(machines);
    }

    public Map<String, Machine> byName() {
        return machines.stream().collect(Collectors.toUnmodifiableMap(Machine::name, machine -> machine));
    }
}
