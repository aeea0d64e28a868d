package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cli.view.Style;
import io.deepsite.cli.view.TerminalSize;
import io.deepsite.diag.Code;
import io.deepsite.diag.ExitCode;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.load.Golden;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every code needs a golden message, and every exit code a command that ends with it. */
class EveryCodeIsShownTest {
    /** Codes without a golden case, with the reason. */
    private static final Map<Code, String> NOT_SHOWN = Map.of(
            Code.CANCELLED, "a stopped run prints how it ended and no fault; the stories cancelled-by-… show it",
            Code.PROGRAM_MISSING, "needs a machine without the program; the lane operation takes it off the PATH",
            Code.INTERNAL, "its text is the trace of a bug; endsWithFourOnABug shows it");

    @Test
    void everyCodeHasAGoldenCase() throws IOException {
        var shown = new ArrayList<String>();
        for (var cases : DiagnosticsPageTest.CASES) {
            Golden.cases(cases).stream()
                    .map(path -> path.getFileName().toString())
                    .filter(name -> name.matches("DS\\d{4}-.*"))
                    .forEach(name -> shown.add(Golden.code(name)));
        }

        var unread = Arrays.stream(Code.values())
                .filter(code -> !NOT_SHOWN.containsKey(code) && !shown.contains(code.id()))
                .toList();
        assertThat(unread)
                .as("add a case to one of the golden folders, and read its message aloud")
                .isEmpty();
        assertThat(NOT_SHOWN.keySet()).noneMatch(code -> shown.contains(code.id()));
        assertThat(Arrays.stream(Code.values()).map(Code::id)).containsAll(shown);
    }

    @Test
    void everyExitCodeEndsACommandOfAStory() throws IOException {
        var ends = new ArrayList<String>();
        try (var stories = Files.walk(FaultGoldenTest.CASES)) {
            for (var story : stories.filter(path -> path.endsWith("story.txt")).toList()) {
                Files.readAllLines(story).stream()
                        .filter(line -> line.startsWith("exit "))
                        .forEach(ends::add);
            }
        }

        assertThat(Arrays.stream(ExitCode.values()).filter(exit -> exit != ExitCode.INTERNAL))
                .allSatisfy(exit -> assertThat(ends).contains("exit " + exit.number()));
    }

    @Test
    void endsWithFourOnABug() {
        var err = new StringWriter();
        var at = new CommandContext(
                new Terminal(
                        new PrintWriter(new Broken()),
                        new PrintWriter(err),
                        new BufferedReader(new StringReader("")),
                        Style.PLAIN,
                        Style.PLAIN,
                        false,
                        false,
                        () -> TerminalSize.USUAL),
                Map.of(),
                () -> Instant.EPOCH,
                Path.of("/"),
                SshTimes.USUAL,
                () -> BuiltIns.ALL,
                DeepsiteHome::find);

        int exit = Deepsite.run(at, "version");

        assertThat(exit).isEqualTo(ExitCode.INTERNAL.number());
        assertThat(err.toString())
                .contains("error DS9001: this is a bug in deepsite")
                .contains("the writer is broken")
                .contains("Please report it");
    }

    /** A writer that fails with a bug. */
    private static final class Broken extends Writer {
        @Override
        public void write(char[] text, int offset, int length) {
            throw new IllegalStateException("the writer is broken");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
