package io.deepsite.apply;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Asked once: what is in flight is finished or cancelled in order, nothing new begins. */
public final class Cancel {
    private final AtomicBoolean asked = new AtomicBoolean();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    public void ask() {
        if (asked.compareAndSet(false, true)) {
            listeners.forEach(Runnable::run);
        }
    }

    public boolean asked() {
        return asked.get();
    }

    /** Called when cancellation is asked for, by the asking thread. */
    public void listen(Runnable listener) {
        listeners.add(listener);
        if (asked()) {
            listener.run();
        }
    }
}
