package io.deepsite.operations;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.contract.Action;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.Name;
import io.deepsite.site.load.LoadResult;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Refuses changes of keys that no apply can make on an existing cluster. */
public final class ImmutableKeys {
    private ImmutableKeys() {}

    /** @throws Failure with everything that would have to stay */
    static void refuseChanges(ClusterKinds kinds, LoadResult loaded, SiteState state) {
        var faults = faults(kinds, loaded, state);
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
    }

    /** @param state the recorded actions of hosts hold the values that the clusters were created with */
    public static List<Diagnostic> faults(ClusterKinds kinds, LoadResult loaded, SiteState state) {
        var faults = new ArrayList<Diagnostic>();
        loaded.site()
                .ifPresent(site -> site.clusters()
                        .forEach(
                                (name, cluster) -> faults(name, kinds.of(site, name, cluster), loaded, state, faults)));
        return faults;
    }

    private static void faults(
            Name name, ClusterKinds.Known cluster, LoadResult loaded, SiteState state, List<Diagnostic> faults) {
        var asked = cluster.madeWith();
        if (asked.isEmpty()) {
            // Else each plan of a site without such a cluster would decode all that was applied, to compare nothing.
            return;
        }
        var made = madeWith(name, state);
        asked.forEach((key, value) -> {
            if (made.get(key) instanceof String before && !before.equals(value)) {
                cluster.refuses(key, before)
                        .map(refusal -> Diagnostic.error(
                                refusal.code(),
                                loaded.where("clusters." + name + "." + key),
                                refusal.why(),
                                refusal.fix(),
                                refusal.commands().toArray(String[]::new)))
                        .ifPresent(faults::add);
            }
        });
    }

    /** The values of the first host that records them; all hosts have the same. */
    private static Map<?, ?> madeWith(Name cluster, SiteState state) {
        return state.hosts().keySet().stream()
                .flatMap(host -> HostInspector.recorded(state, host, cluster + ".").stream())
                .flatMap(contract -> contract.actions().stream())
                .map(Action::with)
                .filter(with -> with.get(ClusterKinds.MADE_WITH) instanceof Map)
                .map(with -> (Map<?, ?>) with.get(ClusterKinds.MADE_WITH))
                .findFirst()
                .orElse(Map.of());
    }
}
