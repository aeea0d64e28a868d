package io.deepsite.apply;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Tags;
import io.deepsite.state.RecordedLease;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Writes a lease to resource tags. Reports a resource that refuses it, and continues with the others. */
public record Retags(Provider provider, Optional<Tags.Lease> lease) {

    /** Whole seconds keep the longest tag within the 255 characters of OpenStack. */
    public static Tags.Lease tag(RecordedLease lease) {
        return new Tags.Lease(lease.ends(), lease.begin().map(begin -> begin.truncatedTo(ChronoUnit.SECONDS)));
    }

    /**
     * @return why the tag was not written; empty on success
     * @throws Failure CANCELLED only
     */
    public List<Diagnostic> write(ObservedResource resource) {
        try {
            provider.retag(resource, lease, Call.QUIET);
            return List.of();
        } catch (Failure e) {
            if (e.isCancelled()) {
                throw e;
            }
            return e.diagnostics().stream()
                    .map(one -> new Diagnostic(
                            one.severity(),
                            one.code(),
                            one.where(),
                            one.why() + " The tag of " + resource.id() + " does not yet have the new end of the lease.",
                            "The next apply writes it. " + one.fix(),
                            one.commands()))
                    .toList();
        }
    }
}
