package io.deepsite.state;

import io.deepsite.diag.Failure;
import java.time.Duration;
import java.util.Optional;

/** Ensures that one operation at a time changes a site. */
public interface SiteLock {

    /**
     * Takes the lock, also from a process that certainly has ended (with a notice).
     *
     * @param operation the command, shown to others who find the lock held
     * @throws Failure LOCK_HELD, with the holder and how to take the lock away
     */
    HeldLock acquire(String operation);

    Optional<LockRecord> holder();

    /** Whether an operation that held the lock certainly has ended without giving it back: it was killed. */
    boolean isOfTheDead();

    /**
     * Takes the lock away from its holder; a holder that still runs stops at its next write.
     *
     * @param id of the lock, so that only the inspected lock is taken away
     * @return what was taken away
     * @throws Failure LOCK_UNKNOWN
     */
    LockRecord unlock(String id);

    /** A lock that this process holds; closing releases it. Any thread may call. */
    interface HeldLock extends AutoCloseable {
        LockRecord record();

        /** A number that each holder has higher than the one before, if records keep one. */
        Optional<Long> fence();

        /** For how long what this process began may go on without it, once it is stopped or killed; empty: to its end. */
        Optional<Duration> grace();

        /**
         * Call it before each change.
         *
         * @throws Failure LOCK_LOST if the lock was taken away
         */
        void requireHeld();

        /** Calls this once, in a thread of the lock, when the lock is lost: what runs under it must stop at once. */
        void whenLost(Runnable stop);

        @Override
        void close();
    }
}
