package io.deepsite.openstack;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Counts the requests to a cloud, and keeps the last ones, whose ids its operators can look up. Thread-safe. */
final class Requests {
    private static final int KEPT = 50;

    private final AtomicLong count = new AtomicLong();
    private final List<Consumer<Sent>> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Sent> recent = new ArrayDeque<>();

    void sent(Sent sent) {
        count.incrementAndGet();
        lock.lock();
        try {
            recent.addLast(sent);
            if (recent.size() > KEPT) {
                recent.removeFirst();
            }
        } finally {
            lock.unlock();
        }
        listeners.forEach(listener -> listener.accept(sent));
    }

    /** Called on the thread that sent the request, after its answer. */
    void listen(Consumer<Sent> listener) {
        listeners.add(listener);
    }

    /** Requests so far, repeated ones included. */
    long count() {
        return count.get();
    }

    /** The last ones, oldest first. */
    List<Sent> recent() {
        lock.lock();
        try {
            return List.copyOf(recent);
        } finally {
            lock.unlock();
        }
    }
}
