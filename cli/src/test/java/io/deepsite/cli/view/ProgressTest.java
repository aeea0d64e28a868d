package io.deepsite.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.Event;
import io.deepsite.site.load.Golden;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/progress");

    private final AtomicReference<Instant> now = new AtomicReference<>(SampleRun.BEGIN);
    private final StringWriter written = new StringWriter();
    private final PrintWriter out = new PrintWriter(written);

    @Test
    void oneScreenShowsARowPerHost() {
        var run = runUntil(31);

        Golden.assertSame(GOLDEN.resolve("screen-100.txt"), screen(run, 100, 24));
    }

    @Test
    void verifyShowsItsChecks() {
        assertThat(screen(runUntil(44), 100, 24))
                .contains("Verify          3 checks  ")
                .contains("1 failed  1 busy");
    }

    @Test
    void narrowTerminalDropsTheBarsFirst() {
        var run = runUntil(31);

        Golden.assertSame(GOLDEN.resolve("screen-50.txt"), screen(run, 50, 24));
        Golden.assertSame(GOLDEN.resolve("screen-24.txt"), screen(run, 24, 24));
    }

    @Test
    void noLineIsAsWideAsTheTerminal() {
        var run = runUntil(31);

        for (int columns = 1; columns < 120; columns++) {
            int width = columns;
            assertThat(screen(run, width, 24).lines())
                    .allSatisfy(line -> assertThat(line.codePointCount(0, line.length()))
                            .isLessThanOrEqualTo(Math.max(20, width - 1)));
        }
    }

    @Test
    void lowTerminalKeepsFailedAndRunningRows() {
        var run = runUntil(31);

        assertThat(screen(run, 80, 5).lines().toList())
                .hasSize(4)
                .anyMatch(line -> line.contains("no space left"))
                .last()
                .asString()
                .contains("more");
    }

    @Test
    void plainLinesShowStartEndAndProgress() {
        try (var view = new LineView(out, now::get)) {
            feed(view, SampleRun.events());
            feed(view, SampleRun.verification());
        }

        Golden.assertSame(GOLDEN.resolve("lines.txt"), written.toString());
    }

    @Test
    void jsonHasOneObjectPerEvent() {
        try (var view = new JsonEvents(out, now::get)) {
            feed(view, SampleRun.events());
            feed(view, SampleRun.verification());
        }

        Golden.assertSame(GOLDEN.resolve("events.ndjson"), written.toString());
    }

    @Test
    void screenErasesLinesThatANarrowerTerminalWrapped() {
        var size = new AtomicReference<>(new TerminalSize(80, 24));
        var screen = new Screen(out, size::get);
        screen.draw(List.of(), List.of("x".repeat(70), Style.COLOUR.red("y".repeat(10))));
        size.set(new TerminalSize(40, 24));
        written.getBuffer().setLength(0);

        screen.draw(List.of("kept"), List.of());

        assertThat(written.toString()).contains("\u001b[3A\r\u001b[J" + "kept\n");
    }

    @Test
    void screenRestoresTheCursor() {
        try (var view = new ScreenView(out, Style.PLAIN, now::get, Map.of(), () -> TerminalSize.USUAL)) {
            view.accept(new Event.Notice("hello"));
        }

        assertThat(written.toString()).contains("hello\n").endsWith("\u001b[?25h");
    }

    private RunProgress runUntil(int second) {
        var run = new RunProgress(SampleRun.PLANNED);
        var events = new ArrayList<>(SampleRun.events());
        events.addAll(SampleRun.verification());
        events.stream()
                .filter(timed -> timed.second() <= second)
                .forEach(timed -> run.take(timed.event(), SampleRun.BEGIN.plusSeconds(timed.second())));
        return run;
    }

    private static String screen(RunProgress run, int columns, int rows) {
        var text = new RowsText(Style.PLAIN, run);
        var lines = text.lines(new TerminalSize(columns, rows), SampleRun.BEGIN.plusSeconds(45), 0);
        return String.join("", lines.stream().map(withLineBreak()).toList());
    }

    private static Function<String, String> withLineBreak() {
        return line -> line.stripTrailing() + "\n";
    }

    private void feed(ProgressView view, List<SampleRun.Timed> events) {
        for (var timed : events) {
            now.set(SampleRun.BEGIN.plusSeconds(timed.second()));
            view.accept(timed.event());
        }
    }
}
