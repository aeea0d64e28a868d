package io.deepsite.ansible;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.state.AtomicFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What one process of Ansible runs.
 *
 * @param name of its log and event files
 * @param folder of the run, for these
 * @param hosts how many it configures
 * @param environment of this process, of which Ansible gets PATH, HOME and TMPDIR
 * @param grace for how long Ansible begins further tasks once this process was stopped or killed; empty: to its end
 */
public record Playbook(
        String name, Path bundle, Path folder, int hosts, Map<String, String> environment, Optional<Duration> grace) {
    /** Names the callback's event file; all processes of a play inherit it. */
    private static final String EVENTS = "DEEPSITE_EVENTS";
    /** Names the file whose age says whether deepsite works, and the seconds after which it does not. */
    private static final String ALIVE = "DEEPSITE_ALIVE";

    private static final String ALIVE_SECONDS = "DEEPSITE_ALIVE_SECONDS";
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration BEAT_EVERY = Duration.ofSeconds(2);
    /** Time for Ansible to end its workers and connections itself. */
    private static final Duration TIME_TO_END = Duration.ofSeconds(10);

    /** Of the bundle, by whoever runs it: plays that have begun go on to their end. */
    public static void beginNothingMore(Path bundle) {
        try {
            Files.writeString(bundle.resolve(Bundle.CANCELLED), "");
        } catch (IOException _) {
            // Then the plays to come run, too, and the run ends after them.
        }
    }

    /** Ansible's output. */
    public Path log() {
        return folder.resolve("ansible-" + name + ".log");
    }

    /** What the callback writes. */
    public Path stream() {
        return folder.resolve("ansible-" + name + ".ndjson");
    }

    /**
     * Runs it on this machine.
     *
     * @param lines of the stream, in order
     * @return Ansible's exit code
     * @throws Failure ANSIBLE_MISSING, STATE_NOT_WRITTEN, CANCELLED
     */
    public int run(Consumer<String> lines, ControlNodes.Stop stop) {
        var ansible = new AnsibleProgram(environment);
        var argv = new ArrayList<>(ansible.leader());
        argv.addAll(List.of(ansible.program(), Bundle.PLAYBOOK));
        var builder = ansible.process(argv, bundle)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().put(EVENTS, stream().toString());
        grace.ifPresent(time -> builder.environment()
                .putAll(Map.of(ALIVE, alive().toString(), ALIVE_SECONDS, String.valueOf(time.toSeconds()))));
        try {
            empty(stream());
            empty(log());
            if (grace.isPresent()) {
                empty(alive());
            }
        } catch (IOException e) {
            throw AtomicFile.notWritten(log(), e);
        }
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw AnsibleProgram.missing("ansible-playbook cannot be started: " + e.getMessage() + ".", e);
        }
        try {
            process.getOutputStream().close();
            stop.onAsked(() -> end(process));
            follow(process, lines);
            int exit = process.waitFor();
            if (exit != 0 && FileFault.hasNoRoom(log())) {
                throw new Failure(FileFault.full(log(), "The recorded state is intact."));
            }
            return exit;
        } catch (IOException e) {
            throw AtomicFile.notWritten(stream(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(Diagnostic.error(Code.CANCELLED, "A run of Ansible was interrupted.", ""), e);
        } finally {
            if (process.isAlive()) {
                end(process);
            }
        }
    }

    private Path alive() {
        return folder.resolve("ansible-" + name + ".alive");
    }

    private static void empty(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /** The stream is a plain file: it is kept with the run, and a late reader loses nothing. */
    private void follow(Process process, Consumer<String> lines) throws IOException, InterruptedException {
        try (var file = new RandomAccessFile(stream().toFile(), "r")) {
            boolean over = false;
            long beaten = System.nanoTime();
            while (!over) {
                over = process.waitFor(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                if (grace.isPresent() && System.nanoTime() - beaten > BEAT_EVERY.toNanos()) {
                    beaten = System.nanoTime();
                    Files.setLastModifiedTime(alive(), FileTime.from(Instant.now()));
                }
                long from = file.getFilePointer();
                var fresh = new byte[(int) (file.length() - from)];
                file.readFully(fresh);
                // An incomplete line is read again: it may end inside a character.
                int end = fresh.length;
                while (end > 0 && fresh[end - 1] != '\n') {
                    end--;
                }
                file.seek(from + end);
                new String(fresh, 0, end, StandardCharsets.UTF_8).lines().forEach(lines);
            }
        }
    }

    private static void end(Process process) {
        // SIGTERM first: Ansible then removes its temporary files. The parent first: a program that only waits for its
        // children may exit 0 once they are gone.
        var all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        all.forEach(ProcessHandle::destroy);
        all.forEach(one -> one.onExit()
                .orTimeout(TIME_TO_END.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(_ -> one.destroyForcibly() ? one : null));
    }
}
