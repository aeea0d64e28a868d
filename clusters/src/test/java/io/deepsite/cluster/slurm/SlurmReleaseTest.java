package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmReleaseTest {
    /** The table of SchedMD's Upgrade Guide, and the notes of older releases. */
    @ParameterizedTest
    @CsvSource({
        "26.11, 25.05",
        "26.05, 24.11",
        "25.11, 24.05",
        "25.05, 23.11",
        "24.11, 23.02",
        "24.05, 23.02",
        "23.11, 22.05",
        "23.02, 21.08",
        "22.05, 20.11",
        "21.08, 20.02",
        "20.11, 19.05"
    })
    void takesOverFromThreeBeforeItSinceTwentyFourElevenAndFromTwoBefore(String release, String oldest) {
        assertThat(release(release).oldestBefore()).isEqualTo(release(oldest));
        assertThat(release(release).takesOver(release(oldest))).isTrue();
        assertThat(release(release)
                        .takesOver(new SlurmRelease("older", release(oldest).place() - 1)))
                .isFalse();
    }

    @Test
    void findsTheShortestWay() {
        assertThat(path("22.05", "24.11")).containsExactly("23.11", "24.11");
        assertThat(path("20.11", "24.11")).containsExactly("22.05", "23.11", "24.11");
        assertThat(path("20.11", "22.05")).containsExactly("22.05");
        assertThat(path("24.05", "25.11")).containsExactly("25.11");
        assertThat(path("24.11", "24.11")).isEmpty();
        assertThat(path("24.11", "22.05")).isEmpty();
    }

    @Test
    void everyStepOfEveryWayIsOneThatSlurmTakes() {
        for (var from : SlurmRelease.KNOWN) {
            for (var to : SlurmRelease.KNOWN) {
                var now = release(from);
                for (var next : release(to).pathFrom(now)) {
                    assertThat(next.takesOver(now)).as(from + " to " + to).isTrue();
                    now = next;
                }
                assertThat(now).isEqualTo(release(from).compareTo(release(to)) < 0 ? release(to) : release(from));
            }
        }
    }

    @Test
    void knowsNoOthers() {
        assertThat(SlurmRelease.of("24.08")).isEmpty();
        assertThat(SlurmRelease.of("22.05.8")).isEmpty();
    }

    private static List<String> path(String from, String to) {
        return release(to).pathFrom(release(from)).stream()
                .map(SlurmRelease::name)
                .toList();
    }

    private static SlurmRelease release(String name) {
        return SlurmRelease.of(name).orElseThrow();
    }
}
