package io.deepsite.operations;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.RecordedHost;
import java.util.Map;

/** The hosts that the state knows: only there can be asked what runs. */
record AppliedHosts(Map<String, RecordedHost> recorded) {

    /** @throws Failure UNKNOWN_STAGE when nothing was applied yet */
    void refuseNone() {
        if (recorded.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.UNKNOWN_STAGE, "Nothing of the site was applied yet.", "Apply first:", "deepsite apply"));
        }
    }

    /** @throws Failure UNKNOWN_STAGE when it is none of them */
    void refuseOtherThan(String host) {
        refuseNone();
        if (!recorded.containsKey(host)) {
            throw new Failure(Diagnostic.error(
                    Code.UNKNOWN_STAGE,
                    "The site has no applied host \"" + host + "\"; it has: " + String.join(", ", recorded.keySet())
                            + ".",
                    "Choose one of them, or apply first."));
        }
    }
}
