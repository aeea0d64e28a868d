package io.deepsite.state;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;

/**
 * The lock as a file in the state folder. A hard link creates name and content together, so it works on network file
 * systems too. {@link LockGuard} makes check-then-act sequences exclusive on this machine.
 */
public final class FileSiteLock implements SiteLock {
    private final StateFolder folder;
    private final LockOwner owner;
    private final Processes processes;
    private final InstantSource clock;
    private final Consumer<Diagnostic> notices;
    private final LockGuard guard;

    public FileSiteLock(StateFolder folder, LockOwner owner, InstantSource clock, Consumer<Diagnostic> notices) {
        this(folder, owner, Processes.ofThisMachine(), clock, notices);
    }

    FileSiteLock(
            StateFolder folder,
            LockOwner owner,
            Processes processes,
            InstantSource clock,
            Consumer<Diagnostic> notices) {
        this.folder = folder;
        this.owner = owner;
        this.processes = processes;
        this.clock = clock;
        this.notices = notices;
        this.guard = new LockGuard(folder);
    }

    @Override
    public HeldLock acquire(String operation) {
        folder.make();
        return guard.during(() -> {
            var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
            var path = folder.lockFile();
            var mine = new LockRecord(UUID.randomUUID().toString(), operation, owner, now, now, path.toString());
            dropDead();
            CrashPoint.pass("lock.acquire.before");
            if (!AtomicFile.create(path, bytes(mine))) {
                throw refusal();
            }
            CrashPoint.pass("lock.acquire.after");
            return FileHeldLock.begin(this, mine, clock);
        });
    }

    @Override
    public Optional<LockRecord> holder() {
        try {
            return Optional.of(StateJson.MAPPER.readValue(Files.readAllBytes(folder.lockFile()), LockRecord.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | JacksonException e) {
            throw unreadable(e);
        }
    }

    @Override
    public boolean isOfTheDead() {
        return holder().filter(this::isDead).isPresent();
    }

    @Override
    public LockRecord unlock(String id) {
        if (!folder.exists()) {
            throw LockFaults.unknown(id, "the site has no state folder");
        }
        return guard.during(() -> {
            var held = holder().orElseThrow(() -> LockFaults.unknown(id, "nothing is locked"));
            if (!held.id().equals(id)) {
                throw LockFaults.unknown(id, held.describe());
            }
            if (owner.isBeside(held.owner()) && !isDead(held)) {
                notices.accept(LockFaults.stillRuns(held));
            }
            Files.delete(folder.lockFile());
            return held;
        });
    }

    /** Releases the lock if it is still this one. */
    void release(LockRecord mine) {
        guard.during(() -> {
            if (isHeld(mine)) {
                CrashPoint.pass("lock.release.before");
                Files.delete(folder.lockFile());
                CrashPoint.pass("lock.release.after");
            }
            return mine;
        });
    }

    boolean isHeld(LockRecord mine) {
        return holder().filter(held -> held.id().equals(mine.id())).isPresent();
    }

    StateFolder folder() {
        return folder;
    }

    static byte[] bytes(LockRecord record) {
        return StateJson.MAPPER.writeValueAsBytes(record);
    }

    private void dropDead() throws IOException {
        var held = holder().orElse(null);
        if (held != null && isDead(held)) {
            notices.accept(LockFaults.takenOver(held, "That process no longer runs."));
            Files.delete(folder.lockFile());
        }
    }

    private boolean isDead(LockRecord held) {
        return owner.hasEnded(held.owner(), processes);
    }

    private Failure refusal() {
        var held = holder().orElse(null);
        if (held == null) {
            return new Failure(Diagnostic.error(
                    Code.LOCK_HELD, "Another process held it a moment ago.", "Run the same command again."));
        }
        var now = clock.instant();
        return LockFaults.held(
                held,
                owner.isBeside(held.owner()) || !held.isSilent(now)
                        ? ""
                        : "Its last heartbeat was "
                                + Duration.between(held.heartbeat(), now).toMinutes()
                                + " minutes ago (one is due every "
                                + LockRecord.INTERVAL.toSeconds()
                                + " s): its process has probably ended, but this machine cannot check that.");
    }

    private Failure unreadable(Exception cause) {
        return new Failure(
                Diagnostic.error(
                        Code.LOCK_HELD,
                        folder.lockFile() + " exists and cannot be read: " + cause.getMessage(),
                        "If no deepsite works on this site, remove it:",
                        "rm " + folder.lockFile()),
                cause);
    }
}
