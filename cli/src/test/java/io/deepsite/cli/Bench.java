package io.deepsite.cli;

import io.deepsite.cli.view.Style;
import io.deepsite.cli.view.TerminalSize;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/** Runs command lines in this process, and keeps their output. */
final class Bench {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    int run(String... arguments) {
        return Deepsite.run(workplace(), arguments);
    }

    CommandContext workplace() {
        return new CommandContext(
                new Terminal(
                        new PrintWriter(out),
                        new PrintWriter(err),
                        new BufferedReader(new StringReader("")),
                        Style.PLAIN,
                        Style.PLAIN,
                        false,
                        false,
                        () -> TerminalSize.USUAL),
                Map.of(),
                InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z")),
                Path.of(System.getProperty("user.home", "/")),
                SshTimes.USUAL,
                () -> BuiltIns.ALL,
                DeepsiteHome::find);
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
