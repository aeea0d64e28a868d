package io.deepsite.state;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets threads that change something at the same time share the write that makes their changes durable, as databases
 * do: a write to disk costs the same for one change and for many.
 */
final class GroupCommit {
    private final ReentrantLock guard;
    private final Condition ended;
    private long made;
    private long written;
    private boolean isWriting;

    /** @param guard of what is changed */
    GroupCommit(ReentrantLock guard) {
        this.guard = guard;
        this.ended = guard.newCondition();
    }

    /**
     * Returns once a write that began after the change has ended. If a write fails, the thread that made it gets the
     * failure, and each other one that waited for it writes again.
     *
     * @param change called under the guard
     * @param writer called under the guard; what it returns writes all changes so far, outside of it
     */
    void commit(Runnable change, Supplier<Runnable> writer) {
        guard.lock();
        try {
            change.run();
            var mine = ++made;
            while (written < mine) {
                if (isWriting) {
                    ended.awaitUninterruptibly();
                } else {
                    write(writer.get());
                }
            }
        } finally {
            guard.unlock();
        }
    }

    private void write(Runnable work) {
        var upTo = made;
        var succeeded = false;
        isWriting = true;
        guard.unlock();
        try {
            work.run();
            succeeded = true;
        } finally {
            guard.lock();
            isWriting = false;
            if (succeeded) {
                written = upTo;
            }
            ended.signalAll();
        }
    }
}
