package io.deepsite.plan;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.state.RecordedResource;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Resources of one site with the same tags: one was copied at the back-end, or a proxy repeated a request. Only one of
 * them can be the recorded one.
 */
public record Twins(ResourceId id, ObservedResource kept, List<ObservedResource> others, boolean recorded) {
    public Twins {
        others = List.copyOf(others);
    }

    /** Of this state's lineage; in order of id. */
    public static List<Twins> of(List<ObservedResource> owned, SiteState state) {
        var byId = new TreeMap<ResourceId, List<ObservedResource>>();
        owned.stream()
                .filter(seen -> seen.tags().lineage().equals(state.lineage()))
                .forEach(seen ->
                        byId.computeIfAbsent(seen.id(), _ -> new ArrayList<>()).add(seen));
        return byId.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(entry -> of(entry, state.resources().get(entry.getKey().toString())))
                .toList();
    }

    private static Twins of(Map.Entry<ResourceId, List<ObservedResource>> same, @Nullable RecordedResource recorded) {
        var likest = same.getValue().stream()
                .sorted(Comparator.comparing((ObservedResource seen) ->
                                recorded != null && !seen.name().equals(recorded.name()))
                        .thenComparing(
                                seen -> recorded != null && !seen.attributes().equals(recorded.attributes()))
                        .thenComparingInt(Twins::rank))
                .toList();
        return new Twins(same.getKey(), likest.getFirst(), likest.subList(1, likest.size()), recorded != null);
    }

    /** A running one is more likely in use than a stopped one. */
    private static int rank(ObservedResource seen) {
        return switch (seen.condition()) {
            case READY -> 0;
            case STOPPED -> 1;
            case HALF_MADE -> 2;
        };
    }

    /** @throws Failure TWICE_THERE with all of them */
    public static void refuse(List<ObservedResource> owned, SiteState state) {
        refuse(of(owned, state).stream().map(Twins::toPlan).toList());
    }

    /**
     * For adopt, whose state must know every resource.
     *
     * @throws Failure TWICE_THERE with all of them
     */
    public static void refuseToAdopt(List<ObservedResource> owned, SiteState state) {
        refuse(of(owned, state).stream().map(Twins::toAdopt).toList());
    }

    private static void refuse(List<Diagnostic> faults) {
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
    }

    private Diagnostic toPlan() {
        return fault(
                recorded ? theRecordedOne() : "None is recorded; " + kept.called() + " would be kept.",
                "It was copied, or a request was sent twice. gc lists the superfluous ones, and deletes them on"
                        + " confirmation; to keep a copy, remove its tags at the back-end:",
                "deepsite gc --list",
                "deepsite gc");
    }

    /**
     * Without a record gc would treat each as part of the whole site, and only a person can see which one is in use.
     */
    private Diagnostic toAdopt() {
        return recorded
                ? fault(
                        theRecordedOne(),
                        "gc lists the superfluous ones, and deletes them on confirmation. Or delete one on the"
                                + " back-end, or remove its tags there. Then adopt again:",
                        "deepsite gc --list",
                        "deepsite gc",
                        "deepsite adopt")
                : fault(
                        "None is recorded, so deepsite cannot know which one is in use.",
                        "Find out which one is in use. Delete the other at the back-end, or remove its tags there,"
                                + " then adopt again:",
                        "deepsite adopt");
    }

    private String theRecordedOne() {
        return kept.called() + " is the recorded one.";
    }

    private Diagnostic fault(String which, String fix, String... commands) {
        var all = new ArrayList<>(List.of(kept.called()));
        others.forEach(other -> all.add(other.called()));
        return Diagnostic.error(
                Code.TWICE_THERE,
                id + " exists " + (all.size() == 2 ? "twice" : all.size() + " times") + ": "
                        + all.stream().sorted().collect(Collectors.joining(", ")) + ", with the same tags. " + which
                        + " Nothing was touched.",
                fix,
                commands);
    }
}
