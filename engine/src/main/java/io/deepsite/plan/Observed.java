package io.deepsite.plan;

import io.deepsite.contract.Seen;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one host answered to a probe.
 *
 * @param items by item id
 * @param done actions whose probe says done, as {@code <role>/<action>}
 */
public record Observed(Map<String, Seen> items, Set<String> done) {
    public Observed {
        items = new TreeMap<>(items);
        done = new TreeSet<>(done);
    }

    public Seen of(String itemId) {
        return items.getOrDefault(itemId, Seen.unknown("the probe did not answer for it"));
    }

    public boolean isDone(String role, String action) {
        return done.contains(role + "/" + action);
    }
}
