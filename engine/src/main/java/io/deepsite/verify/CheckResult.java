package io.deepsite.verify;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.deepsite.diag.PlainText;
import java.util.Optional;

/**
 * What one check of a cluster came to.
 *
 * @param id of the check, such as {@code job-on-node}
 * @param node the machine that it is about; empty for the cluster as a whole
 * @param seconds how long it took
 * @param message one line for people; may be empty
 */
public record CheckResult(
        String cluster, String id, Verdict outcome, Optional<String> node, double seconds, String message) {

    public enum Verdict {
        @JsonProperty("passed")
        PASSED,
        @JsonProperty("failed")
        FAILED,
        /** The node runs somebody's work and answers; not a failure. */
        @JsonProperty("busy")
        BUSY
    }

    private static final int LONGEST = 4000;

    public CheckResult {
        id = plain(id);
        node = node.map(CheckResult::plain);
        message = plain(message);
    }

    /** Without tabs, too: they part the columns of what a proof prints. */
    private static String plain(String text) {
        return PlainText.of(text.replace('\t', '?'), LONGEST);
    }
}
