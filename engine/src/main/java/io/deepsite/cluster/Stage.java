package io.deepsite.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One role on some hosts; one ansible-playbook run, limited to the hosts that are not done.
 *
 * @param name unique in the site: {@code hpc.munge}
 * @param variables by host, in order of the hosts; values are text, numbers, booleans, lists and maps of these
 * @param batch how many hosts at a time; 0 for all
 * @param needs names of stages that must have succeeded: on this host if they run on it too, else on all their hosts
 * @param everyHost needed stages must be done on all of their hosts in any case
 */
public record Stage(
        String name,
        String role,
        Map<String, Map<String, Object>> variables,
        int batch,
        List<String> needs,
        boolean everyHost) {
    public Stage {
        variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
        needs = List.copyOf(needs);
    }

    Stage needing(String other) {
        var more = new ArrayList<>(needs);
        more.add(other);
        return new Stage(name, role, variables, batch, more, everyHost);
    }

    /** The same stage, but it waits until its needs are done on all of their hosts. */
    public Stage afterEveryHost() {
        return new Stage(name, role, variables, batch, needs, true);
    }

    public Set<String> hosts() {
        return variables.keySet();
    }

    public boolean runsOn(String host) {
        return variables.containsKey(host);
    }
}
