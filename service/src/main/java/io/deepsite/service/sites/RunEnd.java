package io.deepsite.service.sites;

import java.time.Instant;
import java.util.Optional;

/**
 * How the work on a run ended here.
 *
 * @param status empty: it has to go on, here or in another process
 * @param result JSON for people: steps of a plan, hosts and proof of a site
 * @param faults JSON: diagnostics
 * @param leaseEnds of a site that has a lease
 */
record RunEnd(
        Optional<RunRow.Status> status, Optional<String> result, Optional<String> faults, Optional<Instant> leaseEnds) {
    static final RunEnd LATER = new RunEnd(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    static RunEnd done(String result, Optional<Instant> leaseEnds) {
        return new RunEnd(Optional.of(RunRow.Status.DONE), Optional.of(result), Optional.empty(), leaseEnds);
    }

    static RunEnd failed(RunRow.Status how, String faults, Optional<Instant> leaseEnds) {
        return new RunEnd(Optional.of(how), Optional.empty(), Optional.of(faults), leaseEnds);
    }
}
