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
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Somebody with a home folder who types commands, and sees what they print. */
final class Person {
    final Path home;
    final Map<String, String> environment = new HashMap<>();
    private String answers = "";
    String out = "";
    String err = "";
    /** Hears what goes to stderr, as soon as it does. */
    Consumer<String> listens = _ -> {};

    Person(Path home) {
        this.home = home;
    }

    /** Sits at a terminal, and answers the questions of the next command so. */
    Person answers(String lines) {
        answers = lines;
        return this;
    }

    /** @return the exit code */
    int types(String... words) {
        var stdout = new StringWriter();
        var stderr = new StringWriter() {
            @Override
            public void flush() {
                listens.accept(toString());
            }
        };
        int exit = Deepsite.run(
                new CommandContext(
                        new Terminal(
                                new PrintWriter(stdout),
                                new PrintWriter(stderr),
                                new BufferedReader(new StringReader(answers)),
                                Style.PLAIN,
                                Style.PLAIN,
                                !answers.isEmpty(),
                                false,
                                () -> TerminalSize.USUAL),
                        environment,
                        InstantSource.system(),
                        home,
                        SshTimes.USUAL,
                        () -> BuiltIns.ALL,
                        DeepsiteHome::find),
                words);
        answers = "";
        out = stdout.toString();
        err = stderr.toString();
        return exit;
    }
}
