package io.deepsite.operations;

import io.deepsite.diag.Diagnostic;
import io.deepsite.lease.Reaper;
import io.deepsite.plan.Planner;
import io.deepsite.plan.Twins;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Things on the back-end that carry this site's name and that its state does not know. */
public final class GcOperation {
    private GcOperation() {}

    /** Of another lineage; or of ours and not recorded, which an apply would finish, too; or one of two that are recorded once. */
    public static List<ObservedResource> of(SiteContext context) {
        var state = context.state();
        var owned = RecordedBackEnd.survey(context, state).owned();
        if (state.serial() == 0) {
            // Without a state everything would look like an orphan: that is a lost memory, not a leftover.
            Planner.refuseForeignLineage(context.site().name(), owned, state);
        }
        var tooMany = Twins.of(owned, state).stream()
                .flatMap(twins -> twins.others().stream())
                .toList();
        return owned.stream()
                .filter(resource -> !resource.tags().lineage().equals(state.lineage())
                        || !state.resources().containsKey(resource.id().toString())
                        || tooMany.contains(resource))
                .toList();
    }

    /**
     * Deletes them, under the site's lock, as far as they still are orphans then: an apply that ran while they were shown
     * may have made them, and recorded them since.
     *
     * @param shown the resources that the user confirmed
     * @param progress one line for each that goes
     */
    public static Collected delete(SiteContext context, List<ObservedResource> shown, Consumer<String> progress) {
        try (var lock = context.lock().acquire("gc")) {
            var agreed = shown.stream().map(Seen::of).collect(Collectors.toSet());
            var orphans = of(context).stream()
                    .filter(orphan -> agreed.contains(Seen.of(orphan)))
                    .toList();
            var faults = new Reaper(context.provider(), line -> {
                        lock.requireHeld();
                        progress.accept(line);
                    })
                    .delete(orphans);
            return new Collected(shown.size() - orphans.size(), faults);
        }
    }

    /**
     * @param spared how many were orphans when they were shown, and are none any more
     * @param faults why others are still there
     */
    public record Collected(int spared, List<Diagnostic> faults) {}

    /** The same thing in two looks; an end of its lease that was written meanwhile makes it no other. */
    private record Seen(ResourceId id, String name, String handle, String lineage) {
        static Seen of(ObservedResource resource) {
            return new Seen(
                    resource.id(),
                    resource.name(),
                    resource.handle(),
                    resource.tags().lineage());
        }
    }
}
