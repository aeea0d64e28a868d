package io.deepsite.state;

import io.deepsite.diag.Failure;
import java.util.Optional;

/** Sees to it that one operation at a time changes a site. */
public interface SiteLock {

    /**
     * Takes the lock, or that of a process which certainly has ended (with a notice).
     *
     * @param operation the command, shown to whoever finds the lock taken
     * @throws Failure LOCK_HELD, with the holder and how to take the lock away from it
     */
    HeldLock acquire(String operation);

    Optional<LockRecord> holder();

    /**
     * Takes the lock away from its holder; a holder that still lives stops at its next write.
     *
     * @param id of the lock, so that nobody takes away another than the one that was looked at
     * @return what was taken away
     * @throws Failure LOCK_UNKNOWN
     */
    LockRecord unlock(String id);

    /** A lock in our hands; closing it gives it back. Any thread may ask. */
    interface HeldLock extends AutoCloseable {
        LockRecord record();

        /**
         * To be asked before each change.
         *
         * @throws Failure LOCK_LOST when somebody took it away
         */
        void requireHeld();

        @Override
        void close();
    }
}
