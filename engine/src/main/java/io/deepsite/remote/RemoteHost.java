package io.deepsite.remote;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;

/** An open connection to one host; all commands run as root, one after another. */
public interface RemoteHost extends AutoCloseable {

    List<String> SHELL = List.of("/bin/sh", "-s");

    /**
     * The shell reads the whole script before running it: no command that reads standard input can consume the rest.
     */
    List<String> SHELL_WITHOUT_INPUT =
            List.of("/bin/sh", "-c", "deepsite_script=$(cat) && exec </dev/null && eval \"$deepsite_script\"");

    /** Bytes of a command's output that are kept; the rest is dropped. */
    int KEPT = 64 * 1024;

    SshTarget target();

    /**
     * Runs a program with streamed input and output.
     *
     * @param argv each passed as one word, whatever it contains
     * @param limit zero for no limit
     * @return the exit code; 128 plus the signal number if a signal ended it
     * @throws io.deepsite.diag.Failure CONNECTION_BROKEN, COMMAND_TOO_SLOW, ROOT_NEEDED, CANCELLED
     * @throws java.io.UncheckedIOException if one of the three local streams fails
     */
    int exec(List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit);

    @Override
    void close();

    /**
     * Pipes a script to {@code /bin/sh -s}, so that no part of it appears in a process argument that others on the host
     * could see.
     */
    default Output sh(String script, Duration limit, int maxOutput) {
        var stdout = new BoundedBytes(maxOutput);
        var stderr = new BoundedBytes(KEPT);
        int exit = exec(SHELL, bytes(script), stdout, stderr, limit);
        return new Output(exit, stdout.text(), stderr.text(), stdout.cut());
    }

    default Output sh(String script, Duration limit) {
        return sh(script, limit, KEPT);
    }

    /**
     * Runs a script with empty standard input; passes on each line of output as it arrives.
     *
     * @param environment variables that are exported to the script
     */
    default Output follow(String script, SortedMap<String, String> environment, Duration limit, Consumer<String> line) {
        var exports = new StringBuilder();
        environment.forEach((name, value) -> exports.append(ShellWord.export(name, value)));
        var stderr = new BoundedBytes(KEPT);
        var lines = new LineSplitter(line);
        int exit = exec(SHELL_WITHOUT_INPUT, bytes(exports + script), lines, stderr, limit);
        lines.close();
        return new Output(exit, "", stderr.text(), false);
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** @param cut stdout was longer than the part kept */
    record Output(int exit, String stdout, String stderr, boolean cut) {
        /** At most the last {@code lines} lines of stderr. */
        public String stderrTail(int lines) {
            var all = stderr.strip().lines().toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        }
    }
}
