package io.deepsite.provider;

import io.deepsite.site.Name;
import java.time.Instant;
import java.util.Optional;

/**
 * Ownership, carried by every resource in an attribute that its create call accepts.
 *
 * @param lineage of the state that made it; two sites of one name differ in it
 * @param expiresAt end of the lease, the same on every resource of a site
 */
public record Tags(Name site, String lineage, Optional<Instant> expiresAt) {

    /** Whose resources a survey looks for. */
    public sealed interface Scope {
        record OneSite(Name site) implements Scope {}

        record AllSites() implements Scope {}
    }
}
