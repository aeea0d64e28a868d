package io.deepsite.cli.view;

import io.deepsite.state.RecordedLease;
import io.deepsite.text.Elapsed;
import java.time.Duration;
import java.time.Instant;

/** Times of a lease in words. */
public final class LeaseWords {
    private LeaseWords() {}

    /** {@code in 3 h 20 min}, or {@code 5 min ago}. */
    public static String left(Instant ends, Instant now) {
        return ends.isAfter(now) ? "in " + Elapsed.words(Duration.between(now, ends)) : Elapsed.ago(ends, now);
    }

    /** {@code 2026-01-02 03:04 UTC, in 3 h 20 min}. */
    public static String ends(RecordedLease lease, Instant now) {
        return Elapsed.utc(lease.ends()) + ", " + left(lease.ends(), now);
    }
}
