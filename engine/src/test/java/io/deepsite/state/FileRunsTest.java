package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileRunsTest extends RunsContractTest {
    @TempDir
    Path folder;

    @Override
    protected Runs open() {
        return new FileRuns(new StateFolder(folder.resolve("lab")));
    }

    @Test
    void readingChangesNothingOnDisk() {
        assertThat(open().all()).isEmpty();
        assertThat(folder.resolve("lab")).doesNotExist();
    }

    @Test
    void followsNoLinkWhenItDeletesAndKeepsWhatIsNoRun() throws IOException {
        var runs = open();
        var outside = Files.createDirectory(folder.resolve("outside"));
        Files.createFile(outside.resolve("precious"));
        var foreign = Files.createDirectories(folder.resolve("lab/runs/my-notes"));
        for (var i = 0; i < 25; i++) {
            var run = runs.begin(NOON.plusSeconds(i));
            Files.createDirectory(run.folder().resolve("ansible"));
            Files.createSymbolicLink(run.folder().resolve("ansible/link"), outside);
        }

        assertThat(runs.all()).hasSize(Runs.KEPT);
        assertThat(foreign).exists();
        assertThat(outside.resolve("precious")).exists();
    }
}
