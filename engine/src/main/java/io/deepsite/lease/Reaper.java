package io.deepsite.lease;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Removal;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Tags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Destroys what is past its end, of all sites of a provider, from tags alone. Safe to run often, and by several at once. */
public final class Reaper {
    private final Provider provider;
    private final Consumer<String> progress;

    /** @param progress one line for each thing that goes */
    public Reaper(Provider provider, Consumer<String> progress) {
        this.provider = provider;
        this.progress = progress;
    }

    /**
     * @param reaped sites of which nothing is left but what others use
     * @param diagnostics why something stayed
     */
    public record Result(List<LeasedSite> reaped, List<Diagnostic> diagnostics) {}

    public Result reap(Instant now) {
        var reaped = new ArrayList<LeasedSite>();
        var diagnostics = new ArrayList<Diagnostic>();
        for (var found : LeasedSite.all(provider)) {
            if (found.expired(now)) {
                // Looked at again: deleting the one before took time, in which somebody may have lengthened this one.
                var site = again(found).filter(one -> one.expired(now));
                var left = site.map(LeasedSite::resources).map(Removal::inOrder).orElse(List.of());
                var faults = delete(left);
                diagnostics.addAll(faults);
                if (!left.isEmpty() && faults.isEmpty()) {
                    reaped.add(found);
                }
            }
        }
        return new Result(List.copyOf(reaped), List.copyOf(diagnostics));
    }

    private Optional<LeasedSite> again(LeasedSite site) {
        return LeasedSite.all(provider, new Tags.Scope.OneSite(site.site())).stream()
                .filter(other -> other.lineage().equals(site.lineage()))
                .findFirst();
    }

    /** Deletes in order; what fails does not keep the rest. */
    public List<Diagnostic> delete(List<ObservedResource> resources) {
        var diagnostics = new ArrayList<Diagnostic>();
        for (var resource : Removal.inOrder(resources)) {
            try {
                progress.accept("delete " + resource.tags().site() + " " + resource.id());
                provider.delete(resource, Call.QUIET);
            } catch (Failure e) {
                diagnostics.addAll(e.diagnostics());
            }
        }
        return List.copyOf(diagnostics);
    }
}
