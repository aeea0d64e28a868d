package io.deepsite.state;

import java.time.Instant;
import java.util.Objects;

/**
 * The last apply.
 *
 * @param run the name of its folder below {@code runs/}
 * @param at when it ended
 */
public record RecordedApply(String run, Outcome outcome, Instant at) {
    public RecordedApply {
        Objects.requireNonNull(run, "run");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(at, "at");
    }
}
