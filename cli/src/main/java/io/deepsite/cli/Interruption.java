package io.deepsite.cli;

import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.diag.ExitCode;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** ^C once lets what is in flight end and begins nothing new; twice stops at once. Both can be resumed. */
final class Interruption {
    private Interruption() {}

    /** @param leave puts the terminal back, before the process ends at once */
    static void listen(Cancel cancel, Consumer<Event> view, Runnable leave) {
        var once = new AtomicBoolean();
        Runnable asked = () -> {
            if (once.compareAndSet(false, true)) {
                // Listeners may wait for what they end: the signal's own thread must stay free for the second ^C.
                Thread.ofVirtual().start(() -> {
                    view.accept(new Event.Notice(
                            "Stopping: what is in flight ends first, nothing new begins. Once more stops at once."));
                    cancel.ask();
                });
            } else {
                leave.run();
                Runtime.getRuntime().halt(ExitCode.CANCELLED.number());
            }
        };
        Signals.on("INT", asked);
        Signals.on("TERM", asked);
    }
}
