package io.deepsite.apply;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The user's request to stop a run. The first one lets running work finish and starts nothing new; the second also
 * stops running work. Either way progress is recorded, and the next run continues from there.
 */
public final class Cancel {
    private final AtomicInteger times = new AtomicInteger();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> first = new CopyOnWriteArrayList<>();

    /** May be called from any thread; the second call runs the listeners and returns when they have. */
    public void ask() {
        switch (times.incrementAndGet()) {
            case 1 -> first.forEach(Runnable::run);
            case 2 -> listeners.forEach(Runnable::run);
            default -> {}
        }
    }

    /** As if asked twice. */
    public void askAtOnce() {
        while (!atOnce()) {
            ask();
        }
    }

    public boolean asked() {
        return times.get() > 0;
    }

    /** Running work must stop now. */
    public boolean atOnce() {
        return times.get() > 1;
    }

    /** Called in the requesting thread when nothing more may be started; immediately if that was already requested. */
    public void listenFirst(Runnable listener) {
        first.add(listener);
        if (asked()) {
            listener.run();
        }
    }

    /** Called in the requesting thread when running work must stop; immediately if that was already requested. */
    public void listen(Runnable listener) {
        listeners.add(listener);
        if (atOnce()) {
            listener.run();
        }
    }

    /** Runs work that an interrupt of its thread ends; the second request interrupts it. */
    public <T> T interrupting(Supplier<T> work) {
        var worker = Thread.currentThread();
        Runnable interrupt = worker::interrupt;
        listen(interrupt);
        try {
            return work.get();
        } finally {
            listeners.remove(interrupt);
            if (atOnce()) {
                // The interrupt must not reach the writes that still follow.
                Thread.interrupted();
            }
        }
    }
}
