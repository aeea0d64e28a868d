package io.deepsite.apply;

import io.deepsite.state.Journal;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateRecorder;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What a run leaves behind: intents and outcomes in the journal, each on disk before the run goes on, and the state. */
record RunRecorder(StateRecorder state, Journal journal, String run) {

    /** @throws io.deepsite.diag.Failure LOCK_LOST: then nothing may be begun any more */
    void intent(String step, Map<String, String> detail) {
        state.requireLock();
        journal.intent(run, step, detail);
    }

    /** The step is over: what it made is recorded first, so that a crash in between only makes the next run look again. */
    void done(String step, UnaryOperator<SiteState> change) {
        state.record(change);
        journal.done(run, step, Map.of());
    }

    /** It is certain that what the step left behind, if anything, shows when looked at. */
    void failed(String step, String why) {
        journal.failed(run, step, Map.of("why", why));
    }
}
