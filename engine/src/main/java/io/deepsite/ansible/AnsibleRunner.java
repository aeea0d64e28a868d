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
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs the plays of a bundle with one process of Ansible. */
public final class AnsibleRunner {
    private static final Pattern VERSION = Pattern.compile("\\[core (\\d+)\\.(\\d+)");
    private static final int OLDEST_MINOR = 14;
    /** Names the callback's event file; all processes of a play inherit it. */
    private static final String EVENTS = "DEEPSITE_EVENTS";

    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    /** Time for Ansible to end its workers and connections itself. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Path bundle;
    private final Path folder;
    private final Map<String, String> environment;

    /**
     * @param folder for events and logs
     * @param environment of this process; only PATH and HOME are passed on
     */
    public AnsibleRunner(Path bundle, Path folder, Map<String, String> environment) {
        this.bundle = bundle;
        this.folder = folder;
        this.environment = environment;
    }

    /** @throws Failure ANSIBLE_MISSING, ANSIBLE_TOO_OLD */
    public void check() {
        try {
            var process = process(List.of(program(), "--version"))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            var version = VERSION.matcher(said);
            if (!version.find()) {
                throw missing(
                        "`ansible-playbook --version` says: "
                                + said.lines().findFirst().orElse("nothing") + ".",
                        null);
            }
            int major = Integer.parseInt(version.group(1));
            int minor = Integer.parseInt(version.group(2));
            if (major < 2 || (major == 2 && minor < OLDEST_MINOR)) {
                throw new Failure(Diagnostic.error(
                        Code.ANSIBLE_TOO_OLD,
                        "ansible-core " + major + "." + minor + " is installed; deepsite needs 2." + OLDEST_MINOR
                                + " or newer.",
                        "Nothing was touched. Install a newer one, then run the same command again.",
                        "apt-get install ansible-core"));
            }
        } catch (IOException e) {
            throw missing("ansible-playbook cannot be started: " + e.getMessage() + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(
                    Diagnostic.error(Code.CANCELLED, "Asking Ansible for its version was interrupted.", ""), e);
        }
    }

    private static Failure missing(String why, @Nullable Throwable cause) {
        return new Failure(
                Diagnostic.error(
                        Code.ANSIBLE_MISSING,
                        why + " Ansible configures the machines.",
                        "Install it, then run the same command again: it resumes from the recorded state.",
                        "apt-get install ansible-core"),
                cause);
    }

    /**
     * The play runs in a process group of its own: the terminal's ^C reaches only ours, and deepsite decides what it
     * means.
     */
    private List<String> leader() {
        return find("setsid").map(file -> List.of(file.toString())).orElse(List.of());
    }

    private String program() {
        return find("ansible-playbook")
                .map(Path::toString)
                .orElseThrow(() -> missing("There is no ansible-playbook on the PATH.", null));
    }

    /** Searches the PATH that is passed on, which may differ from this process's own. */
    private Optional<Path> find(String program) {
        return Arrays.stream(environment.getOrDefault("PATH", "").split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Stops running plays early. */
    public interface Stop {
        /** @param stop ends the plays with all their processes */
        void onAsked(Runnable stop);
    }

    /** Is told of plays in their order, in one thread. */
    public interface Listener {
        void begun(Bundle.Play play);

        /** @param play that the event belongs to */
        void event(Bundle.Play play, AnsibleEvent event);

        /** @param results by host, of every host of the play */
        void ended(Bundle.Play play, Map<String, HostResult> results);
    }

    /**
     * Runs the plays of the bundle. A host that fails in one of them takes part in no later one; once all hosts of a play
     * failed, Ansible begins no other.
     *
     * @param name of the log and event files
     * @param plays all of the bundle, in order
     */
    public void run(String name, List<Bundle.Play> plays, Listener listener, Stop stop) {
        var stream = folder.resolve("ansible-" + name + ".ndjson");
        var log = log(folder, name);
        var progress = new PlayProgress(plays, listener);
        int exit = execute(stream, log, progress::take, stop);
        progress.over(ended(exit, log));
    }

    /** @param name as in {@link #run} */
    public static Path log(Path folder, String name) {
        return folder.resolve("ansible-" + name + ".log");
    }

    private int execute(Path stream, Path log, Consumer<AnsibleEvent> events, Stop stop) {
        var argv = new ArrayList<>(leader());
        argv.addAll(List.of(program(), Bundle.PLAYBOOK));
        var builder =
                process(argv).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put(EVENTS, stream.toString());
        try {
            empty(stream);
            empty(log);
        } catch (IOException e) {
            throw AtomicFile.notWritten(log, e);
        }
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw missing("ansible-playbook cannot be started: " + e.getMessage() + ".", e);
        }
        try {
            process.getOutputStream().close();
            stop.onAsked(() -> end(process));
            follow(process, stream, events);
            int exit = process.waitFor();
            if (exit != 0 && FileFault.hasNoRoom(log)) {
                throw new Failure(FileFault.full(log, "The recorded state is intact."));
            }
            return exit;
        } catch (IOException e) {
            throw AtomicFile.notWritten(stream, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(Diagnostic.error(Code.CANCELLED, "A run of Ansible was interrupted.", ""), e);
        } finally {
            if (process.isAlive()) {
                end(process);
            }
        }
    }

    private static void empty(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private ProcessBuilder process(List<String> argv) {
        var builder = new ProcessBuilder(argv).directory(bundle.toFile());
        builder.environment().clear();
        for (var name : List.of("PATH", "HOME", "TMPDIR")) {
            var value = environment.get(name);
            if (value != null) {
                builder.environment().put(name, value);
            }
        }
        builder.environment()
                .putAll(Map.of(
                        "ANSIBLE_CONFIG", bundle.resolve("ansible.cfg").toString(),
                        "ANSIBLE_NOCOLOR", "1",
                        "LC_ALL", "C.UTF-8",
                        "PYTHONDONTWRITEBYTECODE", "1"));
        return builder;
    }

    /** The stream is a plain file: it is kept with the run, and a late reader loses nothing. */
    private static void follow(Process process, Path stream, Consumer<AnsibleEvent> events)
            throws IOException, InterruptedException {
        try (var file = new RandomAccessFile(stream.toFile(), "r")) {
            boolean over = false;
            while (!over) {
                over = process.waitFor(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                long from = file.getFilePointer();
                var fresh = new byte[(int) (file.length() - from)];
                file.readFully(fresh);
                // An incomplete line is read again: it may end inside a character.
                int end = fresh.length;
                while (end > 0 && fresh[end - 1] != '\n') {
                    end--;
                }
                file.seek(from + end);
                new String(fresh, 0, end, StandardCharsets.UTF_8)
                        .lines()
                        .flatMap(line -> AnsibleEvent.read(line).stream())
                        .forEach(events);
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
                .orTimeout(GRACE.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(_ -> one.destroyForcibly() ? one : null));
    }

    private static String ended(int exit, Path log) {
        return "ansible-playbook ended with exit code " + exit + "; the end of " + log + ":\n" + tail(log);
    }

    private static String tail(Path log) {
        try {
            var lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
        } catch (IOException e) {
            return "(cannot be read: " + e.getMessage() + ")";
        }
    }
}
