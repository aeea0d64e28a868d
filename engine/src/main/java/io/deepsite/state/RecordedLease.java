package io.deepsite.state;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long the site lives.
 *
 * @param since when its first machine was requested; {@link #UNKNOWN} if that is lost
 * @param ends when it is due to be destroyed
 * @param latest how far it may be extended; null without a limit
 */
public record RecordedLease(
        Instant since, Instant ends, @Nullable Instant latest) {
    public static final Instant UNKNOWN = Instant.EPOCH;

    public RecordedLease {
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(ends, "ends");
        if (ends.isBefore(since) || (latest != null && ends.isAfter(latest))) {
            throw new IllegalArgumentException("a lease ends after it began and not after its limit");
        }
    }

    /** Empty for a lease that was adopted from tags without it. */
    public Optional<Instant> begin() {
        return Optional.of(since).filter(begin -> !begin.equals(UNKNOWN));
    }
}
