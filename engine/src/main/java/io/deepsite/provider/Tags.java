package io.deepsite.provider;

import io.deepsite.site.Name;
import java.time.Instant;
import java.util.Optional;

/**
 * Ownership, carried by every resource in an attribute that its create call accepts.
 *
 * @param lineage of the state that made it; two sites of one name differ in it
 * @param lease the same on every resource of a site
 * @param fence of the lock under which it was made, where several machines share the records of the site: says who made it
 */
public record Tags(Name site, String lineage, Optional<Lease> lease, Optional<Long> fence) {

    public Tags(Name site, String lineage, Optional<Lease> lease) {
        this(site, lineage, lease, Optional.empty());
    }

    /**
     * How long the site lives.
     *
     * @param since empty on what deepsite 0.1 tagged, and for a lease whose begin is lost
     */
    public record Lease(Instant ends, Optional<Instant> since) {}

    public Optional<Instant> expiresAt() {
        return lease.map(Lease::ends);
    }

    public Tags with(Optional<Lease> other) {
        return new Tags(site, lineage, other, fence);
    }

    /** Of the same site and state; lease and fence may differ. */
    public boolean sameState(Tags other) {
        return site.equals(other.site()) && lineage.equals(other.lineage());
    }

    public boolean within(Scope scope) {
        return switch (scope) {
            case Scope.AllSites _ -> true;
            case Scope.OneSite(var wanted) -> site.equals(wanted);
        };
    }

    /** Whose resources a survey looks for. */
    public sealed interface Scope {
        record OneSite(Name site) implements Scope {}

        record AllSites() implements Scope {}
    }
}
