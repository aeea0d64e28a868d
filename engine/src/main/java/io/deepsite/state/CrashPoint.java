package io.deepsite.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * For tests only: named instants at which a process can be killed. {@code DEEPSITE_CRASH_AT=<point>:<n>} ends it, as
 * kill -9 would, when it passes the point for the n-th time (from 1); {@code DEEPSITE_CRASH_COUNT=<file>} writes a line
 * {@code <point>:<n>} for each pass, so that a test can list all points. Without either a point costs two comparisons.
 *
 * <p>Points: {@code lock.acquire}, {@code lock.release}, {@code journal.intent}, {@code journal.done}, {@code
 * journal.failed}, {@code journal.finish}, {@code request} (one that changes the back-end), {@code remote} (a
 * provider's create, update, delete or release as a whole), {@code host} (a script that changes a host), {@code stage}
 * (an Ansible run), each with {@code .before} and {@code .after}; {@code state.write}, {@code vault.write} and {@code
 * file.write} (login key, known hosts) also with {@code .mid}.
 */
public final class CrashPoint {
    /** A shell's exit code for a process killed by SIGKILL. */
    private static final int KILLED = 137;

    private static final CrashPoint OF_PROCESS =
            new CrashPoint(System.getenv("DEEPSITE_CRASH_AT"), System.getenv("DEEPSITE_CRASH_COUNT"));

    /**
     * Inherited by the threads that an operation starts, so that parallel tests in one process do not affect each
     * other.
     */
    private static final InheritableThreadLocal<@Nullable Consumer<String>> WATCHER = new InheritableThreadLocal<>();

    private final @Nullable String fatal;
    private final @Nullable Path count;
    private final Map<String, Integer> passes = new ConcurrentHashMap<>();

    private CrashPoint(@Nullable String fatal, @Nullable String count) {
        this.fatal = checked(fatal);
        this.count = count == null || count.isEmpty() ? null : Path.of(count);
    }

    public static void pass(String point) {
        var watcher = WATCHER.get();
        if (watcher != null) {
            watcher.accept(point);
        }
        if (OF_PROCESS.fatal != null || OF_PROCESS.count != null) {
            OF_PROCESS.passed(point);
        }
    }

    /**
     * Calls the watcher for each point that this thread, and the threads it starts from now on, pass. If the watcher
     * throws an Error it must throw one at every later point too: these threads then change nothing any more. Use a
     * thread of its own.
     */
    public static void watch(Consumer<String> watcher) {
        WATCHER.set(watcher);
    }

    private void passed(String point) {
        var pass = point + ":" + passes.merge(point, 1, Integer::sum);
        if (count != null) {
            write(count, pass + "\n");
        }
        if (pass.equals(fatal)) {
            Runtime.getRuntime().halt(KILLED);
        }
    }

    /** Synchronized, so that lines of two threads do not mix. */
    private static synchronized void write(Path file, String line) {
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable String checked(@Nullable String setting) {
        if (setting == null || setting.isEmpty()) {
            return null;
        }
        if (!setting.matches(".+:[1-9][0-9]*")) {
            throw new IllegalArgumentException("DEEPSITE_CRASH_AT must be <point>:<n>, was " + setting);
        }
        return setting;
    }
}
