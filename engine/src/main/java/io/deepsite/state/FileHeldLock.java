package io.deepsite.state;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.SiteLock.HeldLock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
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
    public void requireHeld() {
        if (!lock.isHeld(mine)) {
            var now = lock.holder().map(LockRecord::describe).orElse("No process holds it now");
            throw new Failure(Diagnostic.error(
                    Code.LOCK_LOST,
                    "The site was unlocked while this operation ran. " + now + ". Nothing more was changed.",
                    "Make sure that no other deepsite works on the site, then run the same command again: it resumes"
                            + " where this one"
                            + " stopped."));
        }
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

    /** A failed heartbeat is a missed one: readers of the lock see that, and {@link #requireHeld} decides. */
    private void tryBeat() {
        try {
            beat();
        } catch (IOException _) {
            // The file system is unavailable for a moment, or the lock was just closed.
        }
    }

    void beat() throws IOException {
        file.seek(0);
        file.write(FileSiteLock.bytes(mine.beatenAt(clock.instant().truncatedTo(ChronoUnit.SECONDS))));
    }

    private void beatUntilClosed() {
        try {
            while (!closed.await(LockRecord.INTERVAL.toSeconds(), TimeUnit.SECONDS)) {
                tryBeat();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
