package io.deepsite.ansible;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A play whose deepsite was killed. Ansible keeps applying the old plan, so the hosts change until it ends. It is
 * recognised by its working directory, the bundle of its run.
 */
public record OrphanedRun(ProcessHandle process) {
    private static final Path PROCESSES = Path.of("/proc");

    /** @param runs the folder of all runs of one site */
    public static Optional<OrphanedRun> find(Path runs) {
        if (!Files.isDirectory(PROCESSES.resolve("self"))) {
            return Optional.empty();
        }
        try (var processes = Files.newDirectoryStream(PROCESSES, "[1-9]*")) {
            var folder = runs.toRealPath();
            for (var process : processes) {
                if (worksIn(process, folder)) {
                    var found = ProcessHandle.of(
                            Long.parseLong(process.getFileName().toString()));
                    if (found.isPresent()) {
                        return found.map(OrphanedRun::new);
                    }
                }
            }
            return Optional.empty();
        } catch (IOException | DirectoryIteratorException e) {
            return Optional.empty();
        }
    }

    /** SSH's background connection has the same working directory, but changes nothing. */
    private static boolean worksIn(Path process, Path folder) {
        try {
            return process.resolve("cwd").toRealPath().startsWith(folder)
                    && Files.readString(process.resolve("cmdline")).contains("ansible-playbook");
        } catch (IOException e) {
            // The process has just ended, or belongs to another user.
            return false;
        }
    }

    /** Whether it ended within the limit. */
    public boolean awaitEnd(Duration limit) throws InterruptedException {
        try {
            process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
