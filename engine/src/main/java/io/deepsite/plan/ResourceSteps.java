package io.deepsite.plan;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares desired resources with observed ones: at most one step each. */
public final class ResourceSteps {
    private static final String PREFIX = "resource:";

    private final Map<ResourceId, Resource> desired;
    private final Map<ResourceId, ObservedResource> observed;
    private final SiteState state;

    ResourceSteps(List<Resource> desired, List<ObservedResource> observed, SiteState state) {
        this.desired = byId(desired, Resource::id);
        this.observed = byId(observed, ObservedResource::id);
        this.state = state;
    }

    static String stepId(ResourceId id) {
        return PREFIX + id;
    }

    /** The resource of a step; empty for a step of another kind. */
    public static Optional<ResourceId> id(String step) {
        return step.startsWith(PREFIX)
                ? Optional.of(ResourceId.parse(step.substring(PREFIX.length())))
                : Optional.empty();
    }

    /** In order of id. */
    List<Step.OfResource> steps() {
        var changed = new TreeMap<ResourceId, Step.OfResource>();
        desired.values().forEach(resource -> wanted(resource).ifPresent(step -> changed.put(resource.id(), step)));
        observed.values().stream()
                .filter(seen -> !desired.containsKey(seen.id()))
                .forEach(seen -> changed.put(seen.id(), seen.usedBy().isEmpty() ? delete(seen) : release(seen)));
        return changed.values().stream().map(step -> withNeeds(step, changed)).toList();
    }

    private Optional<Step.OfResource> wanted(Resource resource) {
        var seen = observed.get(resource.id());
        if (seen == null) {
            return Optional.of(step(Change.CREATE, "not there", resource, null, fields(Map.of(), resource.values())));
        }
        if (seen.condition() == ObservedResource.Condition.HALF_MADE) {
            var fields = fields(Map.of(), resource.values());
            return Optional.of(
                    isRecorded(resource.id())
                            ? step(
                                    Change.REPLACE,
                                    "incomplete on the back-end, but recorded as complete; replacing",
                                    resource,
                                    seen,
                                    fields)
                            : step(Change.CREATE, "creation was interrupted; completing", resource, seen, fields));
        }
        var fields = fields(seen.attributes(), resource.lastingValues());
        if (fields.isEmpty()) {
            return seen.condition() == ObservedResource.Condition.STOPPED
                    ? Optional.of(step(Change.UPDATE, "stopped; starting", resource, seen, fields))
                    : unfinished(resource, seen);
        }
        var strongest = strongest(resource, fields);
        return Optional.of(
                strongest == Resource.Mutability.REPLACE
                        ? step(
                                Change.REPLACE,
                                "changes what cannot change in place",
                                resource,
                                seen,
                                fields(seen.attributes(), resource.values()))
                        : step(Change.UPDATE, "differs", resource, seen, fields));
    }

    /**
     * The resource is as desired, but its creation was not recorded (the run was killed) or its machine has not been
     * reachable since.
     */
    private Optional<Step.OfResource> unfinished(Resource resource, ObservedResource seen) {
        if (!isRecorded(resource.id())) {
            return Optional.of(
                    step(Change.NONE, "created by an interrupted run; recording", resource, seen, List.of()));
        }
        return isAwaited(resource.id(), state)
                ? Optional.of(step(Change.NONE, "unreachable since creation; waiting", resource, seen, List.of()))
                : Optional.empty();
    }

    /** Its creation was recorded as complete. Whatever the back-end says now, it may hold the only copy of data. */
    private boolean isRecorded(ResourceId id) {
        return state.resources().containsKey(id.toString());
    }

    private static boolean isAwaited(ResourceId id, SiteState state) {
        var host = id.kind().equals(ResourceId.MACHINE) ? state.hosts().get(id.key()) : null;
        return host != null && host.awaited();
    }

    /** Whether an existing machine is probed only after a step of its own, which waits for it. */
    public static boolean isWaitedFor(ResourceId machine, SiteState state) {
        return !state.resources().containsKey(machine.toString()) || isAwaited(machine, state);
    }

    private static Step.OfResource step(
            Change change,
            String reason,
            Resource resource,
            @Nullable ObservedResource seen,
            List<FieldChange> fields) {
        return new Step.OfResource(
                stepId(resource.id()),
                List.of(),
                change,
                reason,
                Optional.of(resource),
                Optional.ofNullable(seen),
                fields);
    }

    private static Step.OfResource delete(ObservedResource seen) {
        return new Step.OfResource(
                stepId(seen.id()),
                List.of(),
                Change.DELETE,
                "no longer wanted",
                Optional.empty(),
                Optional.of(seen),
                fields(seen.attributes(), Map.of()));
    }

    /** A tag left on it would block the name for a new site. */
    private static Step.OfResource release(ObservedResource seen) {
        return new Step.OfResource(
                stepId(seen.id()),
                List.of(),
                Change.RELEASE,
                "no longer wanted, stays for " + String.join(", ", seen.usedBy()),
                Optional.empty(),
                Optional.of(seen),
                List.of());
    }

    /** A create or update needs the resource's dependencies; a delete needs the deletes and updates of its users. */
    private Step.OfResource withNeeds(Step.OfResource step, Map<ResourceId, Step.OfResource> changed) {
        var needs = new TreeSet<String>();
        step.desired()
                .ifPresent(resource -> resource.dependsOn().stream()
                        .filter(changed::containsKey)
                        .map(ResourceSteps::stepId)
                        .forEach(needs::add));
        if (step.change() == Change.DELETE || step.change() == Change.RELEASE) {
            changed.values().stream()
                    .filter(other -> rank(other) < rank(step) && other.change() != Change.CREATE)
                    .map(Step.OfResource::id)
                    .forEach(needs::add);
        }
        return step.withNeeds(needs);
    }

    private static int rank(Step.OfResource step) {
        return step.seen().map(ObservedResource::removal).orElse(1);
    }

    /** What it takes to bring a resource from what was seen to what is desired. */
    static Resource.Mutability strongest(Resource resource, ObservedResource seen) {
        return strongest(resource, fields(seen.attributes(), resource.lastingValues()));
    }

    private static Resource.Mutability strongest(Resource resource, List<FieldChange> fields) {
        return fields.stream()
                .map(field -> resource.attributes().get(field.field()))
                .map(attribute -> attribute == null ? Resource.Mutability.IN_PLACE : attribute.change())
                .max(Enum::compareTo)
                .orElse(Resource.Mutability.IN_PLACE);
    }

    private static List<FieldChange> fields(Map<String, String> before, Map<String, String> after) {
        var names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        var changes = new ArrayList<FieldChange>();
        for (var name : names) {
            var change =
                    new FieldChange(name, Optional.ofNullable(before.get(name)), Optional.ofNullable(after.get(name)));
            if (!change.before().equals(change.after())) {
                changes.add(change);
            }
        }
        return changes;
    }

    private static <T> Map<ResourceId, T> byId(List<T> all, Function<T, ResourceId> id) {
        return all.stream().collect(Collectors.toMap(id, one -> one, ResourceSteps::twice, TreeMap::new));
    }

    private static <T> T twice(T one, T other) {
        throw new Failure(Diagnostic.error(
                Code.INTERNAL,
                "Two resources carry one id: " + one + " and " + other + ".",
                "This is a bug in deepsite."));
    }
}
