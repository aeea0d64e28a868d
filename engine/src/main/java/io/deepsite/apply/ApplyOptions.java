package io.deepsite.apply;

import io.deepsite.plan.Consent;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one run may do, and where it ends.
 *
 * @param allowed consents that were named or given at the prompt
 * @param until last stage to run, or {@link #MACHINES}; then the site is neither configured nor verified
 * @param only machine group to which stages are limited
 */
public record ApplyOptions(Set<Consent> allowed, Optional<String> until, Optional<String> only) {
    /** In place of a stage: the machines are made, and nobody waits for them to answer SSH. */
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
