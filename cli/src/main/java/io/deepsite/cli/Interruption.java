package io.deepsite.cli;

import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.diag.ExitCode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The first ^C lets running steps finish and starts no new one; the second stops running steps too; the third ends the
 * process at once. The next apply can continue after each.
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
     * Handles signals until it is closed.
     *
     * @param leave restores the terminal before the process ends at once
     */
    static Interruption listen(Cancel cancel, Consumer<Event> view, Runnable leave) {
        var interruption = new Interruption(cancel, view, leave);
        SIGNALS.forEach(signal -> Signals.on(signal, interruption::asked));
        return interruption;
    }

    private void asked() {
        switch (times.incrementAndGet()) {
            case 1 -> ask("Stopping: running steps finish, no new step starts. Press ^C again to stop them too.");
            case 2 -> ask("Stopping now: running steps are stopped and recorded. The next apply checks them again.");
            default -> {
                leave.run();
                Runtime.getRuntime().halt(ExitCode.CANCELLED.number());
            }
        }
    }

    /** Listeners may wait for what they stop, so they run on their own thread: the signal's must stay free for the next ^C. */
    private void ask(String words) {
        Thread.ofVirtual().start(() -> {
            view.accept(new Event.Notice(words));
            cancel.ask();
        });
    }

    /** Restores the default handling of signals. */
    @Override
    public void close() {
        SIGNALS.forEach(Signals::reset);
    }
}
