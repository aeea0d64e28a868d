package io.deepsite.state;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.List;
import java.util.Optional;

/** What every lock of a site says. */
public final class LockFaults {
    private LockFaults() {}

    /** @param more what is known of the holder's life: a sentence, or empty */
    public static Failure held(LockRecord holder, String more) {
        return new Failure(Diagnostic.error(
                Code.LOCK_HELD,
                holder.describe() + "." + (more.isEmpty() ? "" : " " + more),
                "Wait until it has ended. If it certainly no longer runs, take its lock away:",
                "deepsite unlock " + holder.id()));
    }

    /** @param holder who holds it now */
    public static Failure lost(Optional<LockRecord> holder) {
        return new Failure(Diagnostic.error(
                Code.LOCK_LOST,
                "The site was unlocked while this operation ran. "
                        + holder.map(LockRecord::describe).orElse("No process holds it now")
                        + ". Nothing more was changed.",
                "Make sure that no other deepsite works on the site, then run the same command again: it resumes"
                        + " where this one"
                        + " stopped."));
    }

    /** @param found what is there instead */
    public static Failure unknown(String id, String found) {
        return new Failure(Diagnostic.error(
                Code.LOCK_UNKNOWN,
                "No lock has the id " + id + ": " + found + ".",
                "Nothing was unlocked. This shows who holds the lock, and its id:",
                "deepsite status"));
    }

    /** A notice that the lock was taken from a holder that has ended. */
    public static Diagnostic takenOver(LockRecord from, String why) {
        return new Diagnostic(
                Diagnostic.Severity.NOTE,
                Code.LOCK_TAKEN_OVER,
                null,
                from.describe() + ". " + why,
                "Its unfinished steps are checked first.",
                List.of());
    }

    /** A notice that the holder, whose lock was taken away, is there. */
    public static Diagnostic stillRuns(LockRecord holder) {
        return Diagnostic.warning(
                Code.LOCK_LOST,
                null,
                "Process " + holder.owner().pid() + " (" + holder.operation()
                        + ") still runs. It stops at its next change.",
                "Wait until it has ended before you begin something else.");
    }
}
