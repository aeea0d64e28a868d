package io.deepsite.service.sites;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaseWarningsTest {
    private static final Instant BEGIN = Instant.parse("2026-11-26T00:00:00Z");

    private final LeaseWarnings warnings = new LeaseWarnings(List.of(Duration.ofHours(1), Duration.ofHours(24)));

    private Optional<Duration> due(Duration lease, Duration left) {
        return warnings.due(BEGIN, BEGIN.plus(lease), BEGIN.plus(lease).minus(left));
    }

    @Test
    void theLastOneWhoseTimeHasCome() {
        var lease = Duration.ofDays(4);

        assertThat(due(lease, Duration.ofHours(25))).isEmpty();
        assertThat(due(lease, Duration.ofHours(24))).contains(Duration.ofHours(24));
        assertThat(due(lease, Duration.ofMinutes(61))).contains(Duration.ofHours(24));
        assertThat(due(lease, Duration.ofMinutes(60))).contains(Duration.ofHours(1));
        assertThat(due(lease, Duration.ofSeconds(1))).contains(Duration.ofHours(1));
    }

    @Test
    void noneInTheFirstHalfOfALease() {
        assertThat(due(Duration.ofHours(30), Duration.ofHours(20))).isEmpty();
        assertThat(due(Duration.ofHours(30), Duration.ofHours(1))).contains(Duration.ofHours(1));
    }

    @Test
    void aShortLeaseIsWarnedOfInItsLastQuarter() {
        var lease = Duration.ofMinutes(60);

        assertThat(due(lease, Duration.ofMinutes(16))).isEmpty();
        assertThat(due(lease, Duration.ofMinutes(15))).contains(Duration.ofMinutes(15));
    }

    @Test
    void noneWhenItIsOver() {
        assertThat(due(Duration.ofDays(4), Duration.ZERO)).isEmpty();
    }
}
