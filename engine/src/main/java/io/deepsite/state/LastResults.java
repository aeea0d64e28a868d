package io.deepsite.state;

import java.util.Optional;

/**
 * What was last found out about a site: texts by name, such as the results of the last verify. No operation needs them, so
 * they are written without the lock, and who writes last counts. Each implementation passes {@code
 * LastResultsContractTest}. Any thread may call.
 */
public interface LastResults {
    /**
     * Replaces the text of this name; does nothing for a site of which nothing is recorded.
     *
     * @throws io.deepsite.diag.Failure STATE_NOT_WRITTEN, STORE_FAILED
     */
    void keep(String name, String text);

    /** @throws io.deepsite.diag.Failure STORE_FAILED */
    Optional<String> read(String name);
}
