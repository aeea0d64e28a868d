package io.deepsite.operations;

import io.deepsite.apply.Retags;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.RecordedLease;
import io.deepsite.state.StateRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Lengthens a lease, or ends it now. */
public final class LeaseOperation {
    private final SiteContext context;

    public LeaseOperation(SiteContext context) {
        this.context = context;
    }

    /** @param diagnostics why some resources do not carry the new end yet */
    public record Extension(RecordedLease lease, List<Diagnostic> diagnostics) {}

    /**
     * Moves the end by so much. It is recorded first: where writing the tags breaks off, the next apply writes the rest.
     *
     * @throws Failure LEASE_MISSING, LEASE_TOO_LONG
     */
    public Extension extend(Duration by) {
        try (var lock = context.lock().acquire("lease extend")) {
            var state = context.state();
            var lease = state.lease();
            if (lease == null) {
                throw new Failure(Diagnostic.error(
                        Code.LEASE_MISSING,
                        "The site " + context.site().name() + " has no lease: it stays until it is destroyed.",
                        "Give it one in site.yaml (lease: {duration: 4h}), then apply."));
            }
            var ends = lease.ends().plus(by);
            var latest = lease.latest();
            if (latest != null && ends.isAfter(latest)) {
                throw new Failure(Diagnostic.error(
                        Code.LEASE_TOO_LONG,
                        "It would end at " + ends + "; lease.max of site.yaml allows " + latest + " at the latest.",
                        "Ask for less, or raise lease.max and begin a new site."));
            }
            var next = new RecordedLease(lease.since(), ends, latest);
            var owned = RecordedBackEnd.survey(context, state).owned();
            new StateRecorder(context.store(), lock, state).record(now -> now.withLease(next));
            var retags = new Retags(context.provider(), Optional.of(Retags.tag(next)));
            return new Extension(
                    next,
                    owned.stream()
                            .flatMap(resource -> retags.write(resource).stream())
                            .toList());
        }
    }

    /** What is left of it; negative when it is over. */
    public static Duration left(RecordedLease lease, Instant now) {
        return Duration.between(now, lease.ends());
    }
}
