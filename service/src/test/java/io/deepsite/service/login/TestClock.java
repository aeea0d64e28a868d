package io.deepsite.service.login;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Begins at the present, since tokens are validated by the clock of the machine. */
final class TestClock implements InstantSource {
    private volatile Instant now = Instant.now();

    void pass(Duration time) {
        now = now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
