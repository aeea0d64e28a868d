package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
    private static final Instant NOW = Instant.parse("2026-11-21T16:00:00Z");
    private final Backoff backoff =
            new Backoff(4, Duration.ofSeconds(1), Duration.ofSeconds(30), new SplittableRandom(7));

    @ParameterizedTest
    @CsvSource({
        "GET,    200, '',  false",
        "GET,    404, '',  false",
        "GET,    500, '',  false",
        "POST,   429, '',  true",
        "POST,   503, '',  true",
        "POST,   502, '',  false",
        "DELETE, 504, '',  true",
        "PUT,    504, '',  false",
        "POST,   413, '',  false",
        "POST,   413, '3', true",
    })
    void sendsAgainOnlyWhatCannotHaveHadAnEffectTwice(String method, int status, String retryAfter, boolean again) {
        assertThat(backoff.afterStatus(method, status, 1, retryAfter, NOW).isPresent())
                .isEqualTo(again);
    }

    @Test
    void doublesItsPausesUpToTheLongest() {
        var many = new Backoff(20, Duration.ofSeconds(1), Duration.ofSeconds(30), new SplittableRandom(7));

        assertThat(many.afterStatus("GET", 503, 1, "", NOW).orElseThrow()).isBetween(millis(750), millis(1000));
        assertThat(many.afterStatus("GET", 503, 4, "", NOW).orElseThrow()).isBetween(millis(6000), millis(8000));
        assertThat(many.afterStatus("GET", 503, 19, "", NOW).orElseThrow()).isBetween(millis(22500), millis(30000));
    }

    @Test
    void obeysTheCloudsOwnPauseInSecondsOrAsADateButNotForever() {
        assertThat(backoff.afterStatus("GET", 429, 1, "12", NOW)).contains(Duration.ofSeconds(12));
        assertThat(backoff.afterStatus("GET", 429, 1, "Sat, 21 Nov 2026 16:00:09 GMT", NOW))
                .contains(Duration.ofSeconds(9));
        assertThat(backoff.afterStatus("GET", 429, 1, "86400", NOW)).contains(Duration.ofSeconds(30));
        assertThat(backoff.afterStatus("GET", 429, 1, "soon", NOW).orElseThrow())
                .isLessThan(millis(1001));
    }

    @Test
    void givesUpAfterItsAttempts() {
        assertThat(backoff.afterStatus("GET", 503, 3, "", NOW)).isPresent();
        assertThat(backoff.afterStatus("GET", 503, 4, "", NOW)).isEmpty();
        assertThat(backoff.afterFault("GET", true, 4)).isEmpty();
    }

    @Test
    void repeatsACreateOnlyWhenNothingWasSent() {
        assertThat(backoff.afterFault("POST", false, 1)).isPresent();
        assertThat(backoff.afterFault("POST", true, 1)).isEmpty();
        assertThat(backoff.afterFault("GET", true, 1)).isPresent();
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }
}
