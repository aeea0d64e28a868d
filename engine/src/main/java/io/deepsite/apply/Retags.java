package io.deepsite.apply;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Provider;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Writes the end of a lease. What one resource refuses is told, and does not keep the rest from carrying it. */
public record Retags(Provider provider, Optional<Instant> ends) {

    /**
     * @return why the resource does not carry it; empty when it does
     * @throws Failure CANCELLED only
     */
    public List<Diagnostic> write(ObservedResource resource) {
        try {
            provider.retag(resource, ends, Call.QUIET);
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
                            one.why() + " The tag of " + resource.id()
                                    + " still has another end of the lease, or none.",
                            "The next apply writes it. " + one.fix(),
                            one.commands()))
                    .toList();
        }
    }
}
