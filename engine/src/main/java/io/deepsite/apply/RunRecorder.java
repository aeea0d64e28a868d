package io.deepsite.apply;

import io.deepsite.state.Journal;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateRecorder;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The records of a run: intents and outcomes in the journal, each on disk before the run continues, and the state. */
record RunRecorder(StateRecorder state, Journal journal, String run) {

    /** @throws io.deepsite.diag.Failure LOCK_LOST: then nothing may be started any more */
    void intent(String step, Map<String, String> detail) {
        state.requireLock();
        journal.intent(run, step, detail);
    }

    /** Ends the step; writes the state first, so that a crash in between only makes the next run check again. */
    void done(String step, UnaryOperator<SiteState> change) {
        state.record(change);
        journal.done(run, step, Map.of());
    }

    /** Only if a later survey certainly shows whatever the step left behind. */
    void failed(String step, String why) {
        journal.failed(run, step, Map.of("why", why));
    }
}
