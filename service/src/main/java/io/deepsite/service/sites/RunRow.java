package io.deepsite.service.sites;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * One piece of work on a site.
 *
 * @param attempt raised by each process that works on it
 * @param cancels how often somebody asked to stop it: once to end what is in flight, twice to stop at once
 * @param steps of the plan
 * @param result JSON: of a plan its steps, of an apply hosts and proof
 * @param faults JSON: diagnostics
 */
public record RunRow(
        String id,
        String site,
        Verb verb,
        Status status,
        long attempt,
        String askedBy,
        Instant askedAt,
        Optional<Instant> begunAt,
        Optional<Instant> endedAt,
        int cancels,
        int steps,
        int stepsDone,
        Optional<String> result,
        Optional<String> faults) {

    public enum Verb {
        PLAN,
        APPLY,
        DELETE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public enum Status {
        QUEUED,
        RUNNING,
        DONE,
        FAILED,
        CANCELLED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        public boolean isOver() {
            return this != QUEUED && this != RUNNING;
        }
    }
}
