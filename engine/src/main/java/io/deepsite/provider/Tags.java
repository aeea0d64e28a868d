package io.deepsite.provider;

import io.deepsite.site.Name;
import java.time.Instant;
import java.util.Optional;

/**
 * Ownership, carried by every resource in an attribute that its create call accepts.
 *
 * @param lineage of the state that made it; two sites of one name differ in it
 * @param lease the same on every resource of a site
 */
public record Tags(Name site, String lineage, Optional<Lease> lease) {

    /**
     * How long the site lives.
     *
     * @param since empty on what deepsite 0.1 tagged, and for a lease whose begin is lost
     */
    public record Lease(Instant ends, Optional<Instant> since) {}

    public Optional<Instant> expiresAt() {
        return lease.map(Lease::ends);
    }

    /** Of the same site and state; the lease may differ. */
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
