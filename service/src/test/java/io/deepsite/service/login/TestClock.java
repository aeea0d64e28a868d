package io.deepsite.service.login;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Begins at the present, since tokens are validated by the clock of the machine; at a nanosecond that a database would
 * round up.
 */
final class TestClock implements InstantSource {
    private volatile Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS).plusNanos(999);

    void pass(Duration time) {
        now = now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
