package io.deepsite.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElapsedTest {
    @ParameterizedTest
    @CsvSource({
        "40, 0 s",
        "4230, 4.2 s",
        "59000, 59 s",
        "65000, 1 min 5 s",
        "120000, 2 min",
        "3900000, 1 h 5 min",
        "90000000, 1 d 1 h"
    })
    void printsTheTwoLargestUnits(long milliseconds, String words) {
        assertThat(Elapsed.words(Duration.ofMillis(milliseconds))).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({"1, just now", "42, 42 s ago", "120, 2 min ago", "11000, 3 h ago", "200000, 2 d ago"})
    void printsHowLongAgo(long seconds, String words) {
        var now = Instant.parse("2026-01-02T00:00:00Z");

        assertThat(Elapsed.ago(now.minusSeconds(seconds), now)).isEqualTo(words);
    }

    @Test
    void keepsTheWidthOfAClock() {
        assertThat(Elapsed.clock(Duration.ofSeconds(65))).isEqualTo(" 1:05");
        assertThat(Elapsed.clock(Duration.ofSeconds(3661))).isEqualTo("1:01:01");
    }
}
