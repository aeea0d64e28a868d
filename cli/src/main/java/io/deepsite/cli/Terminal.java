package io.deepsite.cli;

import io.deepsite.cli.view.Style;
import io.deepsite.cli.view.TerminalSize;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The three streams of the process. Text is UTF-8, whatever the locale.
 *
 * @param out results
 * @param err progress and diagnostics
 * @param asks whether the user can answer questions: stdin and stderr are terminals
 * @param errIsTerminal whether progress can be drawn in place
 */
public record Terminal(
        PrintWriter out,
        PrintWriter err,
        BufferedReader in,
        Style outStyle,
        Style errStyle,
        boolean asks,
        boolean errIsTerminal,
        Supplier<TerminalSize> size) {

    /** The streams of this process. */
    static Terminal ofProcess(Map<String, String> environment) {
        boolean colours = environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
        boolean errIsTerminal =
                isTerminal(2) && !environment.getOrDefault("TERM", "dumb").equals("dumb");
        return new Terminal(
                writer(FileDescriptor.out),
                writer(FileDescriptor.err),
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                colours && isTerminal(1) ? Style.COLOUR : Style.PLAIN,
                colours && isTerminal(2) ? Style.COLOUR : Style.PLAIN,
                isTerminal(0) && isTerminal(2),
                errIsTerminal,
                errIsTerminal ? new SizeOfTerminal() : () -> TerminalSize.USUAL);
    }

    /** Asks a question and reads one line; empty at the end of the input. */
    Optional<String> ask(String question) {
        err.print(question);
        err.flush();
        try {
            return Optional.ofNullable(in.readLine()).map(String::strip);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Java reports it only for all three streams together; the kernel reports it for each. */
    private static boolean isTerminal(int descriptor) {
        try {
            var target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), false);
    }

    /** Asks stty at the start and after each resize of the terminal. */
    private static final class SizeOfTerminal implements Supplier<TerminalSize> {
        private volatile boolean stale = true;
        private TerminalSize last = TerminalSize.USUAL;

        SizeOfTerminal() {
            Signals.on("WINCH", () -> stale = true);
        }

        @Override
        public synchronized TerminalSize get() {
            if (stale) {
                stale = false;
                last = read().orElse(last);
            }
            return last;
        }

        private static Optional<TerminalSize> read() {
            try {
                var stty = new ProcessBuilder("stty", "size")
                        .redirectInput(Path.of("/dev/tty").toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                try (InputStream answer = stty.getInputStream()) {
                    var words = new String(answer.readAllBytes(), StandardCharsets.US_ASCII)
                            .strip()
                            .split(" ");
                    int rows = Integer.parseInt(words[0]);
                    int columns = Integer.parseInt(words[1]);
                    return rows > 0 && columns > 0 ? Optional.of(new TerminalSize(columns, rows)) : Optional.empty();
                }
            } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
                return Optional.empty();
            }
        }
    }
}
