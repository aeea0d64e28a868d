package io.deepsite.state;

import io.deepsite.state.JournalEntry.EntryKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The write-ahead journal of a site: what was started and how it ended, durable before a call returns. A run that ends
 * early leaves it; the next run reads {@link #openIntents()}, checks their outcome, and appends to the same journal. Any
 * thread may append; the process holds the site's lock. Each implementation passes {@code JournalContractTest}.
 */
public interface Journal extends AutoCloseable {

    /** Call it before the change it announces: on return the intent survives a power cut. */
    default void intent(String run, String step, Map<String, String> detail) {
        append(run, EntryKind.INTENT, Map.of(step, detail));
    }

    default void done(String run, String step, Map<String, String> detail) {
        append(run, EntryKind.DONE, Map.of(step, detail));
    }

    /** Only if certainly nothing was changed; otherwise the intent stays open. */
    default void failed(String run, String step, Map<String, String> detail) {
        append(run, EntryKind.FAILED, Map.of(step, detail));
    }

    /**
     * One entry for each step, all of them durable on return. A crash may leave the first of them only.
     *
     * @param details by step
     */
    void append(String run, EntryKind event, Map<String, Map<String, String>> details);

    /** In the order written. */
    List<JournalEntry> entries();

    /** Intents without an outcome, also of earlier runs, in the order written. */
    default List<JournalEntry> openIntents() {
        return openIntents(entries());
    }

    /** Closes the intents of earlier runs, after their outcome was observed. */
    default void settle(String run) {
        openIntents().forEach(entry -> failed(run, entry.step(), Map.of("why", "looked at again by this run")));
    }

    /** @throws IllegalStateException if an intent is open, which the end of the run would lose */
    default void requireComplete() {
        var open = openIntents();
        if (!open.isEmpty()) {
            throw new IllegalStateException("the run is not complete, " + open.size() + " intents are open");
        }
    }

    /**
     * Ends a completed run: its entries are kept with it, and the next entry starts a new journal.
     *
     * @throws IllegalStateException as {@link #requireComplete}
     */
    void finish(Runs.Run run);

    @Override
    void close();

    /** Those of these entries that have no outcome among them. */
    static List<JournalEntry> openIntents(List<JournalEntry> entries) {
        var open = new LinkedHashMap<String, JournalEntry>();
        for (var entry : entries) {
            switch (entry.event()) {
                case INTENT -> open.putLast(entry.step(), entry);
                case DONE, FAILED -> open.remove(entry.step());
            }
        }
        return List.copyOf(open.values());
    }
}
