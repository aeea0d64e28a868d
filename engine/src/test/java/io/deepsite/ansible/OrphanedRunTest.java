package io.deepsite.ansible;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphanedRunTest {
    @TempDir
    private Path folder;

    @Test
    void findsThePlayThatWorksInARunsFolderAndSeesItEnd() throws Exception {
        var bundle = Files.createDirectories(folder.resolve("runs/one/bundle"));
        var play = process(bundle, "ansible-playbook");
        try {
            var left = OrphanedRun.find(folder.resolve("runs")).orElseThrow();

            assertThat(left.process().pid()).isEqualTo(play.pid());
            assertThat(left.awaitEnd(Duration.ofMillis(1))).isFalse();

            play.getOutputStream().close();
            assertThat(left.awaitEnd(Duration.ofHours(1))).isTrue();
        } finally {
            play.destroyForcibly();
        }
    }

    @Test
    void leavesAloneWhatIsNoPlayOrWorksElsewhere() throws Exception {
        var runs = Files.createDirectories(folder.resolve("runs"));
        var other = process(runs, "ssh: mux");
        var elsewhere = process(folder, "ansible-playbook");
        try {
            assertThat(OrphanedRun.find(runs)).isEmpty();
        } finally {
            other.destroyForcibly();
            elsewhere.destroyForcibly();
        }
    }

    @Test
    void findsNothingWhereNothingEverRan() {
        assertThat(OrphanedRun.find(folder.resolve("absent"))).isEmpty();
    }

    /** A process with that name on its command line that runs until its input is closed. */
    private static Process process(Path directory, String name) throws Exception {
        var process = new ProcessBuilder("sh", "-c", "echo started; read line", name)
                .directory(directory.toFile())
                .start();
        assertThat(process.inputReader().readLine()).isEqualTo("started");
        return process;
    }
}
