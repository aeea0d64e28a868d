package io.deepsite.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Steps that others wait for as a whole: a plan has one barrier and not an edge for each pair of hosts, so it grows with
 * the hosts and not with their square.
 *
 * @param steps by the barrier's id, the ids of its steps; a barrier is passed when all of them are done
 */
public record Barriers(@JsonValue SortedMap<String, List<String>> steps) {
    public static final Barriers NONE = new Barriers(new TreeMap<>());

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Barriers {
        var copy = new TreeMap<String, List<String>>();
        steps.forEach((id, ids) -> copy.put(id, List.copyOf(ids)));
        steps = Collections.unmodifiableSortedMap(copy);
    }

    /** The steps behind what a step {@link Step#needs() needs}. */
    public Stream<String> stepsOf(String need) {
        var ids = steps.get(need);
        return ids == null ? Stream.of(need) : ids.stream();
    }

    /** For each step the barriers that it holds back. */
    public Map<String, List<String>> byStep() {
        var all = new HashMap<String, List<String>>();
        steps.forEach((id, ids) -> ids.forEach(
                step -> all.computeIfAbsent(step, _ -> new ArrayList<>()).add(id)));
        return all;
    }

    /** Collects those of a plan that is being made. */
    static final class Builder {
        private final SortedMap<String, List<String>> steps = new TreeMap<>();

        /**
         * What to wait for to wait for all of these: one step needs no barrier.
         *
         * @param name no step has an id that ends with {@code @*}
         */
        List<String> over(String name, Collection<String> ids) {
            if (ids.size() < 2) {
                return List.copyOf(ids);
            }
            var id = name + "@*";
            steps.putIfAbsent(id, List.copyOf(ids));
            return List.of(id);
        }

        Barriers build() {
            return new Barriers(steps);
        }
    }
}
