package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageStateTest {
    /** Incomplete images are made again: a busy image must not count as incomplete. */
    @ParameterizedTest
    @CsvSource({
        "0, false, false",
        "1, true, true",
        "2, true, true",
        "3, true, false",
        "4, false, false",
        "5, false, false",
        "6, true, false",
        "7, false, false",
        "8, true, true",
        "9, true, false",
        "10, true, false"
    })
    void busyOrDisabledImageCountsAsMade(int state, boolean made, boolean usable) {
        var image = new Snapshot.Image(
                1,
                "debian",
                Optional.empty(),
                Map.of(),
                1,
                state,
                1,
                "",
                new Snapshot.Origin(0, false, false, Optional.empty(), Instant.EPOCH));

        assertThat(image.isMade()).isEqualTo(made);
        assertThat(image.isUsable()).isEqualTo(usable);
    }
}
