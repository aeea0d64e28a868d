package io.deepsite.provider;

import java.util.List;

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
}
