package io.deepsite.cluster;

import io.deepsite.provider.Machine;
import io.deepsite.site.Cluster;
import io.deepsite.site.Name;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Building blocks for the stages of cluster kinds. */
public final class ClusterStages {
    private ClusterStages() {}

    /** Named {@code <cluster>.<role>}; on all machines at once. */
    public static Stage stage(
            Name cluster,
            String role,
            List<Machine> machines,
            Function<Machine, Map<String, Object>> variables,
            List<String> needs) {
        return new Stage(cluster + "." + role, role, variables(machines, variables), 0, needs, false);
    }

    /** By host, in order of the machines. */
    public static Map<String, Map<String, Object>> variables(
            List<Machine> machines, Function<Machine, Map<String, Object>> variables) {
        var byHost = new LinkedHashMap<String, Map<String, Object>>();
        machines.forEach(machine -> byHost.put(machine.name(), variables.apply(machine)));
        return byHost;
    }

    public static List<Machine> in(Name group, List<Machine> machines) {
        return machines.stream()
                .filter(machine -> machine.group().equals(group))
                .toList();
    }

    /** The machines of groups, group by group. */
    public static List<Machine> in(Collection<Name> groups, List<Machine> machines) {
        return groups.stream().flatMap(group -> in(group, machines).stream()).toList();
    }

    /** The prefix of a cluster's own secret names. */
    public static String secrets(Cluster cluster, Name name) {
        return cluster.kind() + "_" + name.value().replace('-', '_') + "_";
    }
}
