package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ElasticBackoffTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final ElasticBackoff backoff = new ElasticBackoff();

    @Test
    void waitsTwiceAsLongAfterEachFailure() {
        backoff.failed("node-2", NOW);
        assertThat(backoff.waits("node-2", NOW.plusSeconds(29))).isTrue();
        assertThat(backoff.waits("node-2", NOW.plusSeconds(30))).isFalse();

        backoff.failed("node-2", NOW);
        assertThat(backoff.waits("node-2", NOW.plusSeconds(59))).isTrue();
        assertThat(backoff.waits("node-2", NOW.plusSeconds(60))).isFalse();
    }

    @Test
    void waitsAQuarterHourAtMost() {
        for (int i = 0; i < 100; i++) {
            backoff.failed("node-2", NOW);
        }

        assertThat(backoff.waits("node-2", NOW.plus(Duration.ofMinutes(15)))).isFalse();
    }

    @Test
    void startsAnewOnceItWasMade() {
        backoff.failed("node-2", NOW);
        backoff.failed("node-2", NOW);
        backoff.made("node-2");
        backoff.failed("node-2", NOW);

        assertThat(backoff.waits("node-2", NOW.plusSeconds(30))).isFalse();
    }

    /** Another process of deepsite reported it before it was killed. */
    @Test
    void waitsAlsoForWhatOnlyTheControllerKnows() {
        backoff.reported("node-3", NOW);
        backoff.reported("node-3", NOW.plusSeconds(29));

        assertThat(backoff.over(new TreeSet<>(List.of("node-3")), NOW.plusSeconds(29)))
                .isEmpty();
        assertThat(backoff.over(new TreeSet<>(List.of("node-3")), NOW.plusSeconds(30)))
                .containsExactly("node-3");
    }
}
