package io.deepsite.state;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/**
 * One line of the journal.
 *
 * @param seq counts up by one, over all runs in the journal
 * @param run the run that wrote it: the name of its folder below {@code runs/}
 * @param step id of the plan step, the same in each run that retries it
 * @param detail what resuming needs (the name requested, the id received, why it failed); never a secret
 */
public record JournalEntry(
        long seq, Instant at, String run, String step, EntryKind event, SortedMap<String, String> detail) {

    /** An intent is ended by the next DONE or FAILED of the same step. */
    public enum EntryKind {
        /** Written before the call: what follows may or may not have happened. */
        @JsonProperty("intent")
        INTENT,
        @JsonProperty("done")
        DONE,
        /**
         * The other side refused, so nothing was changed. A call without an answer is no failure; its intent stays
         * open.
         */
        @JsonProperty("failed")
        FAILED
    }

    public JournalEntry {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(run, "run");
        Objects.requireNonNull(step, "step");
        Objects.requireNonNull(event, "event");
        detail = Sorted.copyOf(detail);
    }

    static JournalEntry of(long seq, Instant at, String run, String step, EntryKind event, Map<String, String> detail) {
        return new JournalEntry(seq, at, run, step, event, Sorted.copyOf(detail));
    }
}
