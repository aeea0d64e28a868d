package io.deepsite.ansible;

/** How a play ended on one host. */
public sealed interface HostResult {
    /** @param changed something on the host is not as it was */
    record Done(boolean changed) implements HostResult {}

    /** Of a play that works on a few hosts at a time, and ended with one of those before. */
    record NotTried() implements HostResult {}

    /**
     * @param task its name
     * @param item the contract's item that failed; empty when the task is none of a contract
     * @param message the task's own words
     */
    record Failed(String task, String item, String message, boolean unreachable) implements HostResult {}
}
