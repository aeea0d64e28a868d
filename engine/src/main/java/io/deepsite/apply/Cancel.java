package io.deepsite.apply;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * How the user stops a run. Asked once, what is in flight is finished and nothing new begins; asked again, what is in
 * flight is ended too. Both are recorded as far as they came, and the next run goes on from there.
 */
public final class Cancel {
    private final AtomicInteger times = new AtomicInteger();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** From any thread; the second time it runs the listeners and returns when they have. */
    public void ask() {
        if (times.incrementAndGet() == 2) {
            listeners.forEach(Runnable::run);
        }
    }

    public boolean asked() {
        return times.get() > 0;
    }

    /** What is in flight shall end now. */
    public boolean atOnce() {
        return times.get() > 1;
    }

    /** Called when what is in flight shall end, by the asking thread; at once where that was asked before. */
    public void listen(Runnable listener) {
        listeners.add(listener);
        if (atOnce()) {
            listener.run();
        }
    }

    /** Runs work that ends when its thread is interrupted; the second asking does that. */
    public <T> T interrupting(Supplier<T> work) {
        var worker = Thread.currentThread();
        Runnable interrupt = worker::interrupt;
        listen(interrupt);
        try {
            return work.get();
        } finally {
            listeners.remove(interrupt);
            if (atOnce()) {
                // What is still to be written down must not meet the interruption.
                Thread.interrupted();
            }
        }
    }
}
