package io.deepsite.operations;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Machine;
import io.deepsite.site.Site;
import io.deepsite.topology.StageGraph;
import io.deepsite.topology.Topology;
import java.util.Map;
import java.util.stream.Collectors;

/** The machines of a site and the order of its stages, from site.yaml alone. */
public final class GraphOperation {
    private GraphOperation() {}

    public static StageGraph graph(Site site, ClusterKinds kinds) {
        var machines = GroupMachines.of(site);
        var stages = new SiteStages(kinds, site);
        return StageGraph.of(
                Topology.of(site, Map.of()),
                stages.outline(machines),
                stages.acceptance(machines),
                machines.stream()
                        .collect(Collectors.toMap(
                                Machine::name, machine -> machine.group().value())));
    }
}
