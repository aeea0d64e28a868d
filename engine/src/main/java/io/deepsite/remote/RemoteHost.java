package io.deepsite.remote;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;

/** An open connection to one host; whatever it runs, it runs as root. Commands run one after another. */
public interface RemoteHost extends AutoCloseable {

    List<String> SHELL = List.of("/bin/sh", "-s");

    /** Reads the whole script before it runs: nothing that reads standard input can then eat the rest of it. */
    List<String> SHELL_WITHOUT_INPUT =
            List.of("/bin/sh", "-c", "deepsite_script=$(cat) && exec </dev/null && eval \"$deepsite_script\"");

    /** How much of what a command says is kept; the rest is thrown away. */
    int KEPT = 64 * 1024;

    SshTarget target();

    /**
     * Runs a program and streams.
     *
     * @param argv each one word, whatever is in it
     * @param limit zero for no limit
     * @return the exit code; 128 and the number of the signal that ended it
     * @throws io.deepsite.diag.Failure CONNECTION_BROKEN, COMMAND_TOO_SLOW, ROOT_NEEDED, CANCELLED
     * @throws java.io.UncheckedIOException when one of the three streams of this side fails
     */
    int exec(List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit);

    @Override
    void close();

    /** Feeds a script to {@code /bin/sh -s}, so that nothing of it is in an argument that others on the host could see. */
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
     * Runs a script that finds its standard input empty; each line of output is told as it comes.
     *
     * @param environment names and values that the script finds exported
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

    /** @param cut stdout was longer than what is kept of it */
    record Output(int exit, String stdout, String stderr, boolean cut) {
        /** The last lines that it said on stderr, at most {@code lines}. */
        public String stderrTail(int lines) {
            var all = stderr.strip().lines().toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        }
    }
}
