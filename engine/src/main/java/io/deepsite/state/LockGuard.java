package io.deepsite.state;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLockInterruptionException;
import java.util.concurrent.locks.ReentrantLock;

/** Lets one thread of one process of this machine at a time look at a lock file and act on what it saw. */
final class LockGuard {
    /** An operating system's file lock is held by the whole process, so threads need one of their own. */
    private static final ReentrantLock THREADS = new ReentrantLock();

    private final StateFolder folder;

    LockGuard(StateFolder folder) {
        this.folder = folder;
    }

    @FunctionalInterface
    interface GuardedAction<T> {
        T run() throws IOException;
    }

    /** Held for some milliseconds; a thread that was told to stop still gives its lock back. */
    <T> T during(GuardedAction<T> action) {
        var path = folder.path().resolve("lock.guard");
        THREADS.lock();
        var interrupted = Thread.interrupted();
        try (var file = new RandomAccessFile(path.toFile(), "rw")) {
            while (true) {
                try (var _ = file.getChannel().lock()) {
                    return action.run();
                } catch (FileLockInterruptionException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } catch (IOException e) {
            throw AtomicFile.notWritten(path, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            THREADS.unlock();
        }
    }
}
