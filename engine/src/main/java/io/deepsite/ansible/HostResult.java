package io.deepsite.ansible;

/** The result of a play on one host. */
public sealed interface HostResult {
    /** @param changed whether anything on the host changed */
    record Done(boolean changed) implements HostResult {}

    /** The play ended before this host's turn, or did not begin. */
    record NotTried() implements HostResult {}

    /**
     * @param task its name
     * @param item the contract's item that failed; empty if the task belongs to no contract
     * @param message the task's own words
     */
    record Failed(String task, String item, String message, boolean unreachable) implements HostResult {}
}
