package io.deepsite.state;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/**
 * One line of the journal.
 *
 * @param seq counts up by one, over all runs that the journal holds
 * @param run the run that wrote it: the name of its folder below {@code runs/}
 * @param step the plan step, the same id in each run that tries it again
 * @param detail what resuming needs to know (the name asked for, the id got, the reason of a failure); never a secret
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
        /** The other side refused, so nothing was changed. A call without an answer is no failure but stays open. */
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
