package io.deepsite.lease;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Removal;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Provider;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
        for (var site : LeasedSite.all(provider)) {
            if (site.expired(now)) {
                var faults = delete(site.resources());
                diagnostics.addAll(faults);
                if (faults.isEmpty()) {
                    reaped.add(site);
                }
            }
        }
        return new Result(List.copyOf(reaped), List.copyOf(diagnostics));
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
