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
     * Each thing is looked at again right before it goes: what went before took time, in which somebody may have lengthened
     * the lease, or destroyed the site and made it anew under the same names.
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

    /** The very thing, with the tags that it had. */
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

    /** Deletes in order, without what others use; what fails does not keep the rest. */
    public List<Diagnostic> delete(List<ObservedResource> resources) {
        return each("delete", Removal.inOrder(resources), provider::delete);
    }

    /** With a tag on it that says it is the site's, it would keep the name of a site that is gone. */
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
