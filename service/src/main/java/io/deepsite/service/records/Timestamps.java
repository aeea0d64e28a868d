package io.deepsite.service.records;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Points in time as the tables keep them. */
public final class Timestamps {
    private Timestamps() {}

    /** To the microsecond, never later: both databases round what is finer when they store it, but not when they compare. */
    public static OffsetDateTime of(Instant at) {
        return at.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }
}
