package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.diag.Diagnostic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphanedRunsTest {
    @TempDir
    private Path folder;

    private final List<Process> plays = new ArrayList<>();

    @Test
    void waitsForEveryPlayThatAKilledRunLeft() throws Exception {
        var bundle = Files.createDirectories(folder.resolve("runs/one/bundle"));
        try {
            plays.add(play(bundle));
            plays.add(play(bundle));

            new OrphanedRuns(folder.resolve("runs"), this::end).await();

            assertThat(plays).noneMatch(Process::isAlive);
        } finally {
            plays.forEach(Process::destroyForcibly);
        }
    }

    /** Ends the play that is awaited. */
    private void end(Diagnostic awaited) {
        plays.stream()
                .filter(play -> awaited.why().contains("Process " + play.pid() + " "))
                .forEach(play -> {
                    try {
                        play.getOutputStream().close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /** Has the command line of a play, and runs until its input is closed. */
    private static Process play(Path directory) throws IOException {
        var process = new ProcessBuilder("sh", "-c", "echo started; read line", "ansible-playbook")
                .directory(directory.toFile())
                .start();
        assertThat(process.inputReader().readLine()).isEqualTo("started");
        return process;
    }
}
