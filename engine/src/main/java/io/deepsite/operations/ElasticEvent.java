package io.deepsite.operations;

import java.util.SortedSet;

/**
 * What {@code deepsite elastic} does.
 *
 * @param event watching, making, made, removing, removed, failed or retry
 * @param machines which; for watching the controller
 * @param why for failed; else empty
 */
public record ElasticEvent(String event, SortedSet<String> machines, String why) {
    /** One line for people. */
    public String text() {
        var names = String.join(", ", machines);
        return switch (event) {
            case "watching" -> "Watching " + names + ".";
            case "making" -> names + ": asked for, being made.";
            case "made" -> names + ": made.";
            case "removing" -> names + ": idle, being removed.";
            case "removed" -> names + ": removed.";
            case "retry" -> names + ": may be asked for again.";
            default -> names + ": could not be made. " + why;
        };
    }
}
