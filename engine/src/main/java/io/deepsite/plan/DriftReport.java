package io.deepsite.plan;

import io.deepsite.contract.Contents;
import io.deepsite.contract.Item;
import io.deepsite.provider.ObservedResource;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.render.ContractJson;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Recorded against observed: what changed outside deepsite. */
public record DriftReport(
        SiteState state,
        List<ObservedResource> owned,
        Map<String, ProbeAnswer> observed,
        UnknownResolver resolver,
        Contents contents) {
    /** The field that differs for a missing resource. */
    static final String EXISTS = "exists";

    /** Resources first, then hosts in order of name, each role's items in their order. */
    public List<Plan.Drift> found() {
        var drift = new ArrayList<Plan.Drift>();
        resources(drift);
        state.hosts().forEach((host, recorded) -> {
            var seen = observed.get(host);
            if (seen != null) {
                recorded.roles()
                        .forEach((role, applied) -> items(
                                drift,
                                host,
                                role,
                                ContractJson.contract(applied.contract()).items(),
                                seen));
            }
        });
        return drift;
    }

    private void resources(List<Plan.Drift> drift) {
        var seen = new TreeMap<String, ObservedResource>();
        owned.forEach(resource -> seen.put(resource.id().toString(), resource));
        state.resources().forEach((id, recorded) -> {
            var there = seen.get(id);
            var differences = new ArrayList<Item.Difference>();
            if (there == null) {
                differences.add(new Item.Difference(EXISTS, "false", "true"));
            } else {
                var keys = new TreeSet<>(recorded.attributes().keySet());
                keys.addAll(there.attributes().keySet());
                for (var key : keys) {
                    var now = there.attributes().getOrDefault(key, "");
                    var then = recorded.attributes().getOrDefault(key, "");
                    if (!now.equals(then)) {
                        differences.add(new Item.Difference(key, now, then));
                    }
                }
                if (there.condition() == ObservedResource.Condition.STOPPED) {
                    differences.add(new Item.Difference("status", "stopped", "running"));
                }
            }
            if (!differences.isEmpty()) {
                drift.add(new Plan.Drift("", "", id, differences));
            }
        });
    }

    private void items(List<Plan.Drift> drift, String host, String role, List<Item> items, ProbeAnswer seen) {
        for (var item : items) {
            new ItemChanges(contents, resolver)
                    .ofRecorded(item, seen.of(item))
                    .ifPresent(change -> drift.add(new Plan.Drift(host, role, item.id(), change.differences())));
        }
    }
}
