package io.deepsite.operations;

import java.time.Duration;

/**
 * How long the loop of elastic machines waits.
 *
 * @param settle from a change on, until what belongs to it has come, too; and between two applies
 * @param turn until faults are tried again, and pauses are looked at
 * @param reconnect after a connection to a controller ended
 */
public record ElasticPauses(Duration settle, Duration turn, Duration reconnect) {
    public static final ElasticPauses USUAL =
            new ElasticPauses(Duration.ofSeconds(3), Duration.ofSeconds(15), Duration.ofSeconds(10));
}
