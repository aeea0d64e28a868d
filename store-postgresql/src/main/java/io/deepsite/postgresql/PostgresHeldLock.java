package io.deepsite.postgresql;

import io.deepsite.diag.Failure;
import io.deepsite.state.LockFaults;
import io.deepsite.state.LockRecord;
import io.deepsite.state.SiteLock.HeldLock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A lock that this process holds, and renews four times in each lease. When two thirds of a lease have passed without
 * that, it counts as lost: whoever takes it over at the end of the lease finds nothing running.
 */
final class PostgresHeldLock implements HeldLock {
    private final PostgresLock lock;
    private final LockRecord record;
    private final long fence;
    private final Duration lease;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Something happened that the watch should see. */
    private final Semaphore news = new Semaphore(0);

    private volatile long renewed = System.nanoTime();
    private volatile boolean lost;
    private volatile Runnable stop = () -> {};

    PostgresHeldLock(PostgresLock lock, LockRecord record, long fence, Duration lease) {
        this.lock = lock;
        this.record = record;
        this.fence = fence;
        this.lease = lease;
    }

    void begin() {
        Thread.ofPlatform().daemon().name("deepsite lock heartbeat").start(this::renewUntilClosed);
        // Of its own: a renewal may hang.
        Thread.ofPlatform().daemon().name("deepsite lock watch").start(this::watchUntilClosed);
    }

    @Override
    public LockRecord record() {
        return record;
    }

    @Override
    public Optional<Long> fence() {
        return Optional.of(fence);
    }

    /** As long as it counts as held here. */
    @Override
    public Optional<Duration> grace() {
        return Optional.of(lease.multipliedBy(2).dividedBy(3));
    }

    @Override
    public void requireHeld() {
        if (isLost()) {
            throw LockFaults.lost(Optional.empty());
        }
    }

    /** Known here, or too long not renewed: also after this process was stopped for a while. */
    boolean isLost() {
        return lost || nanosLeft() <= 0;
    }

    private long nanosLeft() {
        return grace().orElseThrow().toNanos() - (System.nanoTime() - renewed);
    }

    /** The database said so. */
    void lose() {
        lost = true;
        news.release();
    }

    @Override
    public void whenLost(Runnable work) {
        stop = work;
    }

    /** False if the lock was closed, or the thread told to stop. */
    boolean sleep(Duration pause) {
        try {
            return !closed.await(Math.min(pause.toMillis(), 2000), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        if (closed.getCount() == 0) {
            return;
        }
        closed.countDown();
        news.release();
        try {
            lock.release(this);
        } catch (Failure e) {
            if (!isLost() && !Database.isAway(e)) {
                throw e;
            }
            // It ends by itself.
        }
    }

    private void renewUntilClosed() {
        try {
            while (!isLost() && !closed.await(lease.toMillis() / 4, TimeUnit.MILLISECONDS)) {
                renew();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void renew() {
        var begun = System.nanoTime();
        try {
            if (lock.renew(record.beatenAt(Instant.now().truncatedTo(ChronoUnit.SECONDS)))) {
                renewed = begun;
            } else {
                lose();
            }
        } catch (Failure e) {
            // The next time may succeed before the lock counts as lost.
        }
    }

    private void watchUntilClosed() {
        try {
            while (closed.getCount() > 0) {
                if (isLost()) {
                    stop.run();
                    return;
                }
                var _ = news.tryAcquire(nanosLeft(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
