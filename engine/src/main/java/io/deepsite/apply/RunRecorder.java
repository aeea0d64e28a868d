package io.deepsite.apply;

import io.deepsite.state.Journal;
import io.deepsite.state.JournalEntry.EntryKind;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateRecorder;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The records of a run: intents and outcomes in the journal, each on disk before the run continues, and the state. */
record RunRecorder(StateRecorder state, Journal journal, String run) {

    /** @throws io.deepsite.diag.Failure LOCK_LOST: then nothing may be started any more */
    void intent(String step, Map<String, String> detail) {
        state.requireLock();
        journal.intent(run, step, detail);
    }

    /** As {@link #intent}, of steps that begin together. */
    void intents(Collection<String> steps, Map<String, String> detail) {
        state.requireLock();
        journal.append(run, EntryKind.INTENT, each(steps, _ -> detail));
    }

    /** Ends the step; writes the state first, so that a crash in between only makes the next run check again. */
    void done(String step, UnaryOperator<SiteState> change) {
        state.record(change);
        journal.done(run, step, Map.of());
    }

    /** As {@link #done(String, UnaryOperator)}, of steps that end together. */
    void done(Collection<String> steps, UnaryOperator<SiteState> change) {
        if (!steps.isEmpty()) {
            state.record(change);
            journal.append(run, EntryKind.DONE, each(steps, _ -> Map.of()));
        }
    }

    /** Only if a later survey certainly shows whatever the step left behind. */
    void failed(String step, String why) {
        journal.failed(run, step, Map.of("why", why));
    }

    /** As {@link #failed(String, String)}, of steps that end together, with the reason of each. */
    void failed(Map<String, String> steps) {
        journal.append(run, EntryKind.FAILED, each(steps.keySet(), step -> Map.of("why", steps.get(step))));
    }

    private static Map<String, Map<String, String>> each(
            Collection<String> steps, Function<String, Map<String, String>> detail) {
        var details = new LinkedHashMap<String, Map<String, String>>();
        steps.forEach(step -> details.put(step, detail.apply(step)));
        return details;
    }
}
