package io.deepsite.apply;

import io.deepsite.plan.Consent;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one run may do, and where it stops.
 *
 * @param allowed consents given by name or at the prompt
 * @param until last stage to run, or {@link #MACHINES}; the site is then not fully configured and not verified
 * @param only machine group to which stages are limited
 */
public record ApplyOptions(Set<Consent> allowed, Optional<String> until, Optional<String> only) {
    /** In place of a stage: creates the machines without waiting for SSH. */
    public static final String MACHINES = "machines";

    public static final ApplyOptions ALL = new ApplyOptions(Set.of(), Optional.empty(), Optional.empty());

    public ApplyOptions {
        allowed = new TreeSet<>(allowed);
    }

    boolean machinesOnly() {
        return until.equals(Optional.of(MACHINES));
    }

    public boolean limited() {
        return until.isPresent() || only.isPresent();
    }
}
