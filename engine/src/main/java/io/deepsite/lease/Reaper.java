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
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Destroys the expired sites of a provider, from tags alone. Safe to run often and concurrently. */
public final class Reaper {
    private final Provider provider;
    private final Consumer<String> progress;

    /** @param progress one line for each deleted resource */
    public Reaper(Provider provider, Consumer<String> progress) {
        this.provider = provider;
        this.progress = progress;
    }

    /**
     * @param reaped sites that have only resources left that others use, too
     * @param diagnostics why something was not deleted
     */
    public record Result(List<LeasedSite> reaped, List<Diagnostic> diagnostics) {}

    public Result reap(Instant now) {
        var reaped = new ArrayList<LeasedSite>();
        var diagnostics = new ArrayList<Diagnostic>();
        for (var found : LeasedSite.all(provider)) {
            if (found.expired(now)) {
                var faults = end(found, now);
                diagnostics.addAll(faults);
                if (faults.isEmpty() && again(found).isEmpty()) {
                    reaped.add(found);
                }
            }
        }
        return new Result(List.copyOf(reaped), List.copyOf(diagnostics));
    }

    /**
     * Observes each resource again right before deleting it: meanwhile the lease may have been extended, or the site
     * destroyed and created again under the same names.
     */
    private List<Diagnostic> end(LeasedSite found, Instant now) {
        var faults = new ArrayList<Diagnostic>();
        for (var resource : Removal.inOrder(found.resources())) {
            stillOver(found, now)
                    .filter(site -> holds(site, resource))
                    .ifPresent(_ -> faults.addAll(delete(List.of(resource))));
        }
        if (faults.isEmpty()) {
            stillOver(found, now).ifPresent(site -> faults.addAll(release(site.resources())));
        }
        return faults;
    }

    private Optional<LeasedSite> stillOver(LeasedSite site, Instant now) {
        return again(site).filter(one -> one.expired(now));
    }

    /** Whether it is the same resource with the same tags. */
    private static boolean holds(LeasedSite site, ObservedResource resource) {
        return site.resources().stream()
                .anyMatch(seen -> seen.id().equals(resource.id())
                        && seen.name().equals(resource.name())
                        && seen.tags().equals(resource.tags())
                        && seen.usedBy().isEmpty());
    }

    private Optional<LeasedSite> again(LeasedSite site) {
        return LeasedSite.all(provider, new Tags.Scope.OneSite(site.site())).stream()
                .filter(other -> other.lineage().equals(site.lineage()))
                .findFirst();
    }

    /** Deletes in order, except what others use; continues after a failure. */
    public List<Diagnostic> delete(List<ObservedResource> resources) {
        return each("delete", Removal.inOrder(resources), provider::delete);
    }

    /** Removes the site's tags: left there, they would block the name of a deleted site. */
    private List<Diagnostic> release(List<ObservedResource> resources) {
        var used = resources.stream()
                .filter(resource -> !resource.usedBy().isEmpty())
                .toList();
        return each("released", used, provider::release);
    }

    private List<Diagnostic> each(
            String what, List<ObservedResource> resources, BiConsumer<ObservedResource, Call> change) {
        var diagnostics = new ArrayList<Diagnostic>();
        for (var resource : resources) {
            try {
                progress.accept(what + " " + resource.tags().site() + " " + resource.id() + ": " + resource.called());
                change.accept(resource, Call.QUIET);
            } catch (Failure e) {
                diagnostics.addAll(e.diagnostics());
            }
        }
        return List.copyOf(diagnostics);
    }
}
