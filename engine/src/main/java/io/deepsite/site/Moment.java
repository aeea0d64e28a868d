package io.deepsite.site;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoField;

/** A point in time, in whole minutes. YAML: {@code 2026-12-01T08:00Z}, {@code 2026-12-01T09:00+01:00}; its offset must be there. */
public record Moment(Instant instant) {
    public static final String PATTERN = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:00)?(Z|[+-][0-9]{2}:[0-9]{2})";

    /** @throws IllegalArgumentException with the accepted form */
    public static Moment parse(String text) {
        OffsetDateTime time;
        try {
            time = OffsetDateTime.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "a point in time is a date, an hour and its offset from UTC, such as 2026-12-01T08:00Z or"
                            + " 2026-12-01T09:00+01:00",
                    e);
        }
        if (time.get(ChronoField.SECOND_OF_MINUTE) != 0 || time.getNano() != 0) {
            throw new IllegalArgumentException("a point in time is a whole minute");
        }
        return new Moment(time.toInstant());
    }
}
