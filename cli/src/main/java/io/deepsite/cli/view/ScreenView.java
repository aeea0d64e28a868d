package io.deepsite.cli.view;

import io.deepsite.apply.Event;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A run on one screen of a terminal, redrawn eight times a second. Notices stay above it. */
public final class ScreenView implements ProgressView {
    private static final long FRAME_MILLIS = 125;

    private final InstantSource clock;
    private final RunProgress run;
    private final RowsText text;
    private final Screen screen;
    private final List<String> above = new ArrayList<>();
    private int frame;
    private boolean closed;

    /**
     * @param planned steps per host or resource
     * @param size asked before each frame
     */
    public ScreenView(
            PrintWriter out,
            Style style,
            InstantSource clock,
            Map<String, Integer> planned,
            Supplier<TerminalSize> size) {
        this.clock = clock;
        this.run = new RunProgress(planned);
        this.text = new RowsText(style, run);
        this.screen = new Screen(out, size);
        Thread.ofPlatform().name("screen").daemon(true).start(this::keepDrawing);
    }

    @Override
    public synchronized void accept(Event event) {
        if (event instanceof Event.Notice notice) {
            above.add(notice.text());
        }
        run.take(event, clock.instant());
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            run.endStretch(clock.instant());
            draw();
            screen.close();
            closed = true;
            notifyAll();
        }
    }

    private synchronized void keepDrawing() {
        try {
            while (!closed) {
                wait(FRAME_MILLIS);
                if (!closed) {
                    draw();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void draw() {
        screen.draw(List.copyOf(above), text.lines(screen.size(), clock.instant(), frame++));
        above.clear();
    }
}
