package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunsTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00.5Z");

    @TempDir
    Path folder;

    private Runs runs;

    @BeforeEach
    void openTheFolder() {
        runs = new Runs(new StateFolder(folder.resolve("lab")));
    }

    @Test
    void namesARunByItsTime() throws IOException {
        var run = runs.begin(NOON);

        assertThat(run.id()).isEqualTo("2026-11-21T12-00-00Z");
        assertThat(run.folder()).isEqualTo(folder.resolve("lab/runs/2026-11-21T12-00-00Z"));
        assertThat(Files.getPosixFilePermissions(run.folder())).isEqualTo(AtomicFile.OWNER_FOLDER);
    }

    @Test
    void distinguishesTwoRunsOfOneSecondAndKeepsTheirOrder() {
        var first = runs.begin(NOON);
        var second = runs.begin(NOON);
        var third = runs.begin(NOON.plusSeconds(1));

        assertThat(runs.all()).containsExactly(first, second, third);
    }

    @Test
    void hasNoneAtFirst() {
        assertThat(runs.all()).isEmpty();
        assertThat(folder.resolve("lab")).doesNotExist();
    }

    @Test
    void keepsTheLastTwentyAndWhatIsNoRun() throws IOException {
        var outside = Files.createDirectory(folder.resolve("outside"));
        Files.createFile(outside.resolve("precious"));
        var foreign = Files.createDirectories(folder.resolve("lab/runs/my-notes"));
        for (var i = 0; i < 25; i++) {
            var run = runs.begin(NOON.plusSeconds(i));
            Files.createDirectory(run.folder().resolve("ansible"));
            Files.createSymbolicLink(run.folder().resolve("ansible/link"), outside);
        }

        assertThat(runs.all()).hasSize(Runs.KEPT);
        assertThat(runs.all().getFirst().id()).isEqualTo("2026-11-21T12-00-05Z");
        assertThat(foreign).exists();
        assertThat(outside.resolve("precious")).exists();
    }
}
