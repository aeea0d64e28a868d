package io.deepsite.state;

import io.deepsite.state.SiteLock.HeldLock;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * The state during a run that changes it from many threads. Each change is on disk when {@link #record} returns;
 * changes that arrive during a write share the next one, so a thousand hosts do not mean a thousand files.
 */
public final class StateRecorder {
    private final StateStore store;
    private final HeldLock lock;
    private final ReentrantLock guard = new ReentrantLock();
    private final GroupCommit commits = new GroupCommit(guard);
    private SiteState current;

    /** @param recorded what the store holds, or a fresh state if it holds none */
    public StateRecorder(StateStore store, HeldLock lock, SiteState recorded) {
        this.store = store;
        this.lock = lock;
        this.current = recorded;
    }

    /** With every change so far, and the serial of the last write. */
    public SiteState current() {
        guard.lock();
        try {
            return current;
        } finally {
            guard.unlock();
        }
    }

    /** See {@link HeldLock#fence}. */
    public Optional<Long> fence() {
        return lock.fence();
    }

    /** @throws io.deepsite.diag.Failure LOCK_LOST */
    public void requireLock() {
        lock.requireHeld();
    }

    /**
     * @param change quick and without side effects; sees the changes of the other threads
     * @throws io.deepsite.diag.Failure LOCK_LOST, or as {@link StateStore#write}; the change then reaches the disk with
     *     the next successful write
     */
    public void record(UnaryOperator<SiteState> change) {
        commits.commit(() -> current = change.apply(current), () -> {
            var snapshot = current;
            return () -> write(snapshot);
        });
    }

    /**
     * Like {@link #record}, but does not wait: the change is on disk with the next write. For what a run that was killed
     * finds out again.
     */
    public void recordLater(UnaryOperator<SiteState> change) {
        guard.lock();
        try {
            current = change.apply(current);
        } finally {
            guard.unlock();
        }
    }

    private void write(SiteState snapshot) {
        lock.requireHeld();
        var stored = store.write(snapshot);
        guard.lock();
        try {
            current = current.withSerial(stored.serial());
        } finally {
            guard.unlock();
        }
    }
}
