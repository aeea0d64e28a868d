package io.deepsite.state;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Who holds a site's lock, and what for.
 *
 * @param operation the command, such as {@code apply}
 * @param heartbeat when the holder last renewed the lock
 * @param path of the lock
 */
public record LockRecord(String id, String operation, LockOwner owner, Instant since, Instant heartbeat, String path) {
    /** How often a holder renews {@code heartbeat}. */
    static final Duration INTERVAL = Duration.ofSeconds(15);

    public LockRecord {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(heartbeat, "heartbeat");
    }

    /** Whether enough heartbeats are missing that the holder has probably ended; clocks of two machines may differ. */
    public boolean isSilent(Instant now) {
        return Duration.between(heartbeat, now).compareTo(INTERVAL.multipliedBy(4)) > 0;
    }

    /** One sentence without its full stop. */
    public String describe() {
        return "\"%s\" of %s on %s (process %d, deepsite %s) holds it since %s, last heartbeat %s, id %s, %s"
                .formatted(
                        operation,
                        owner.who(),
                        owner.host(),
                        owner.pid(),
                        owner.toolVersion(),
                        since,
                        heartbeat,
                        id,
                        path);
    }

    /** The same, renewed. */
    public LockRecord beatenAt(Instant now) {
        return new LockRecord(id, operation, owner, since, now, path);
    }
}
