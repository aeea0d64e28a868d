package io.deepsite.cli;

import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.diag.ExitCode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * ^C once lets what is in flight end and begins nothing new; twice ends what is in flight too; three times ends the
 * process, whatever hangs. Each can be resumed.
 */
final class Interruption implements AutoCloseable {
    private static final List<String> SIGNALS = List.of("INT", "TERM");

    private final Cancel cancel;
    private final Consumer<Event> view;
    private final Runnable leave;
    private final AtomicInteger times = new AtomicInteger();

    private Interruption(Cancel cancel, Consumer<Event> view, Runnable leave) {
        this.cancel = cancel;
        this.view = view;
        this.leave = leave;
    }

    /**
     * Listens until it is closed.
     *
     * @param leave puts the terminal back, before the process ends at once
     */
    static Interruption listen(Cancel cancel, Consumer<Event> view, Runnable leave) {
        var interruption = new Interruption(cancel, view, leave);
        SIGNALS.forEach(signal -> Signals.on(signal, interruption::asked));
        return interruption;
    }

    private void asked() {
        switch (times.incrementAndGet()) {
            case 1 -> ask("Stopping: what is in flight ends first, nothing new begins. Once more ends that too.");
            case 2 ->
                ask("Stopping now: what is in flight is ended. It is recorded; the next apply looks at it again.");
            default -> {
                leave.run();
                Runtime.getRuntime().halt(ExitCode.CANCELLED.number());
            }
        }
    }

    /** Listeners may wait for what they end: the signal's own thread must stay free for the next ^C. */
    private void ask(String words) {
        Thread.ofVirtual().start(() -> {
            view.accept(new Event.Notice(words));
            cancel.ask();
        });
    }

    /** From here on ^C is what it is everywhere. */
    @Override
    public void close() {
        SIGNALS.forEach(Signals::reset);
    }
}
