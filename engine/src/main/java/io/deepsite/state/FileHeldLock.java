package io.deepsite.state;

import io.deepsite.diag.Failure;
import io.deepsite.state.SiteLock.HeldLock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A lock file that this process holds. The heartbeat is written in place, into the file opened at creation: if the lock
 * is taken away, the write goes to a file without a name, never into another holder's. Every write of a record has the
 * same length, so a reader sees no mix.
 */
final class FileHeldLock implements HeldLock {
    private final FileSiteLock lock;
    private final LockRecord mine;
    private final InstantSource clock;
    private final RandomAccessFile file;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Runnable stop = () -> {};

    private FileHeldLock(FileSiteLock lock, LockRecord mine, InstantSource clock) throws IOException {
        this.lock = lock;
        this.mine = mine;
        this.clock = clock;
        this.file = new RandomAccessFile(lock.folder().lockFile().toFile(), "rw");
    }

    static FileHeldLock begin(FileSiteLock lock, LockRecord mine, InstantSource clock) throws IOException {
        var held = new FileHeldLock(lock, mine, clock);
        Thread.ofPlatform().daemon().name("deepsite lock heartbeat").start(held::beatUntilClosed);
        return held;
    }

    @Override
    public LockRecord record() {
        return mine;
    }

    @Override
    public Optional<Long> fence() {
        return Optional.empty();
    }

    /** The next holder waits for what runs; both are on one machine. */
    @Override
    public Optional<Duration> grace() {
        return Optional.empty();
    }

    @Override
    public void requireHeld() {
        if (!lock.isHeld(mine)) {
            throw LockFaults.lost(lock.holder());
        }
    }

    @Override
    public void whenLost(Runnable work) {
        stop = work;
    }

    @Override
    public void close() {
        if (closed.getCount() == 0) {
            return;
        }
        closed.countDown();
        lock.release(mine);
        try {
            file.close();
        } catch (IOException e) {
            throw AtomicFile.notWritten(lock.folder().lockFile(), e);
        }
    }

    void beat() throws IOException {
        file.seek(0);
        file.write(FileSiteLock.bytes(mine.beatenAt(clock.instant().truncatedTo(ChronoUnit.SECONDS))));
    }

    private void beatUntilClosed() {
        try {
            boolean held = true;
            while (held && !closed.await(LockRecord.INTERVAL.toSeconds(), TimeUnit.SECONDS)) {
                held = beatAndLook();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** False once the lock is lost. */
    boolean beatAndLook() {
        try {
            beat();
        } catch (IOException e) {
            // A missed heartbeat: the file system is unavailable for a moment, or the lock was just closed.
        }
        try {
            if (closed.getCount() == 0 || lock.isHeld(mine)) {
                return true;
            }
        } catch (Failure e) {
            // A lock that cannot be read is not lost yet: requireHeld decides.
            return true;
        }
        stop.run();
        return false;
    }
}
