package io.deepsite.plan;

import io.deepsite.contract.Action;
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

/**
 * Recorded against observed: what changed outside deepsite.
 *
 * @param wanted contracts by stage name, then by host; where one has the same action or probe as the recorded one, hosts were asked
 *     for that of this one
 */
public record DriftReport(
        SiteState state,
        List<ObservedResource> owned,
        Map<String, ProbeAnswer> observed,
        UnknownResolver resolver,
        Contents contents,
        Map<String, Map<String, Desired.RenderedRole>> wanted) {
    /** The field that differs for a missing resource. */
    static final String EXISTS = "exists";
    /** Of an action, whose probe says that it has to run again. */
    private static final Item.Difference UNDONE = new Item.Difference("done", "false", "true");

    /** Resources first, then hosts in order of name, each role's items in their order, then its actions. */
    public List<Plan.Drift> found() {
        var drift = new ArrayList<Plan.Drift>();
        resources(drift);
        state.hosts().forEach((host, recorded) -> {
            var seen = observed.get(host);
            if (seen != null) {
                recorded.roles().forEach((role, applied) -> {
                    var contract = ContractJson.contract(applied.contract());
                    items(
                            drift,
                            host,
                            role,
                            contract.items().stream()
                                    .filter(item -> wasAsked(applied.stage(), host, item))
                                    .toList(),
                            seen);
                    contract.actions().stream()
                            .filter(action -> wasAsked(applied.stage(), host, action))
                            .filter(action -> !seen.isDone(contract.role(), action.id()))
                            .forEach(action ->
                                    drift.add(new Plan.Drift(host, role, "action:" + action.id(), List.of(UNDONE))));
                });
            }
        });
        return drift;
    }

    private boolean wasAsked(String stage, String host, Action action) {
        var now = wanted.getOrDefault(stage, Map.of()).get(host);
        return now == null
                || now.contract().actions().stream()
                        .filter(each -> each.id().equals(action.id()))
                        .allMatch(each -> each.done().equals(action.done()));
    }

    private boolean wasAsked(String stage, String host, Item item) {
        var now = wanted.getOrDefault(stage, Map.of()).get(host);
        return now == null
                || !(item instanceof Item.Probe applied)
                || now.contract().items().stream()
                        .noneMatch(each -> each instanceof Item.Probe probe
                                && probe.id().equals(applied.id())
                                && !probe.run().equals(applied.run()));
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
