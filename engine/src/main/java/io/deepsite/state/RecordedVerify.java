package io.deepsite.state;

import java.time.Instant;
import java.util.Objects;

/** The last acceptance of the site, and the fingerprint of the whole site at that time. */
public record RecordedVerify(String fingerprint, Outcome outcome, Instant at) {
    public RecordedVerify {
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(at, "at");
    }
}
