package io.deepsite.postgresql;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.CrashPoint;
import io.deepsite.state.LockFaults;
import io.deepsite.state.LockOwner;
import io.deepsite.state.LockRecord;
import io.deepsite.state.SiteLock;
import io.deepsite.state.StateJson;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one site as a row. It ends by the database's clock unless its holder renews it; each holder has a higher
 * fence than the one before. What a site records is written in transactions that hold the row, {@link #write}.
 */
final class PostgresLock implements SiteLock {
    private final Database database;
    private final String site;
    private final LockOwner owner;
    private final Duration lease;
    private final Consumer<Diagnostic> notices;
    private volatile @Nullable PostgresHeldLock mine;

    PostgresLock(Database database, String site, LockOwner owner, Duration lease, Consumer<Diagnostic> notices) {
        this.database = database;
        this.site = site;
        this.owner = owner;
        this.lease = lease;
        this.notices = notices;
    }

    /** @param now the database's */
    private record Row(
            long fence, Optional<LockRecord> holder, boolean isOver, Instant now, Optional<Instant> expires) {}

    @Override
    public HeldLock acquire(String operation) {
        CrashPoint.pass("lock.acquire.before");
        var held = database.in(handle -> {
            handle.execute("INSERT INTO site_lock (site, fence) VALUES (?, 0) ON CONFLICT DO NOTHING", site);
            var row = row(handle, "FOR UPDATE").orElseThrow();
            row.holder().ifPresent(holder -> {
                if (row.isOver()) {
                    notices.accept(LockFaults.takenOver(holder, "It did not renew the lock in time."));
                } else if (owner.hasEnded(holder.owner())) {
                    notices.accept(LockFaults.takenOver(holder, "That process no longer runs."));
                } else {
                    throw LockFaults.held(
                            holder,
                            row.expires()
                                    .map(at -> "If it is not renewed, it ends at " + at.truncatedTo(ChronoUnit.SECONDS)
                                            + ".")
                                    .orElse(""));
                }
            });
            var now = row.now().truncatedTo(ChronoUnit.SECONDS);
            var taken = new LockRecord(
                    UUID.randomUUID().toString(), operation, owner, now, now, database.url() + " site " + site);
            handle.createUpdate("UPDATE site_lock SET fence = fence + 1, id = :id, holder = CAST(:holder AS jsonb),"
                            + " expires_at = clock_timestamp() + make_interval(secs => :lease) WHERE site = :site")
                    .bind("id", taken.id())
                    .bind("holder", json(taken))
                    .bind("lease", lease.toMillis() / 1000.0)
                    .bind("site", site)
                    .execute();
            return new PostgresHeldLock(this, taken, row.fence() + 1, lease);
        });
        CrashPoint.pass("lock.acquire.after");
        mine = held;
        held.begin();
        return held;
    }

    @Override
    public Optional<LockRecord> holder() {
        return database.in(handle -> row(handle, "").flatMap(Row::holder));
    }

    @Override
    public boolean isOfTheDead() {
        return database.in(handle -> row(handle, "")
                .filter(row -> row.holder()
                        .filter(holder -> row.isOver() || owner.hasEnded(holder.owner()))
                        .isPresent())
                .isPresent());
    }

    @Override
    public LockRecord unlock(String id) {
        return database.in(handle -> {
            var held = row(handle, "FOR UPDATE")
                    .flatMap(Row::holder)
                    .orElseThrow(() -> LockFaults.unknown(id, "nothing is locked"));
            if (!held.id().equals(id)) {
                throw LockFaults.unknown(id, held.describe());
            }
            if (owner.isBeside(held.owner()) && !owner.hasEnded(held.owner())) {
                notices.accept(LockFaults.stillRuns(held));
            }
            free(handle, id);
            return held;
        });
    }

    /** The fence of the lock that this process holds, else 0: what another may have written since is read again. */
    long tenure() {
        var held = mine;
        return held == null ? 0 : held.fence().orElseThrow();
    }

    /**
     * Writes in a transaction that ends before the lock can be taken over. While the database is away, tries again until
     * the lock would end.
     *
     * @throws Failure LOCK_LOST
     * @throws IllegalStateException if this process holds no lock: a fault of the caller
     */
    <T> T fenced(Function<Handle, T> work) {
        var held = mine;
        if (held == null) {
            throw new IllegalStateException("nothing is written without the lock of " + site);
        }
        for (var pause = Duration.ofMillis(100); ; pause = pause.multipliedBy(2)) {
            try {
                return database.in(handle -> {
                    requireFence(handle, held);
                    return work.apply(handle);
                });
            } catch (Failure e) {
                if (!Database.isAway(e) || held.isLost() || !held.sleep(pause)) {
                    throw e;
                }
            }
        }
    }

    void write(Consumer<Handle> work) {
        fenced(handle -> {
            work.accept(handle);
            return true;
        });
    }

    /** A shared lock of the row: nobody takes the lock over before this transaction ends. */
    private void requireFence(Handle handle, PostgresHeldLock held) {
        var present = handle.createQuery("SELECT true FROM site_lock WHERE site = :site AND id = :id AND fence = :fence"
                        + " AND expires_at > clock_timestamp() FOR SHARE")
                .bind("site", site)
                .bind("id", held.record().id())
                .bind("fence", held.fence().orElseThrow())
                .mapTo(Boolean.class)
                .findOne();
        if (present.isEmpty()) {
            held.lose();
            throw LockFaults.lost(row(handle, "").flatMap(Row::holder));
        }
    }

    /** Whether the lock is still this one; it then lasts for another lease. */
    boolean renew(LockRecord held) {
        return database.in(handle -> handle.createUpdate("UPDATE site_lock SET holder = CAST(:holder AS jsonb),"
                                + " expires_at = clock_timestamp() + make_interval(secs => :lease)"
                                + " WHERE site = :site AND id = :id AND expires_at > clock_timestamp()")
                        .bind("holder", json(held))
                        .bind("lease", lease.toMillis() / 1000.0)
                        .bind("site", site)
                        .bind("id", held.id())
                        .execute())
                == 1;
    }

    void release(PostgresHeldLock held) {
        mine = null;
        CrashPoint.pass("lock.release.before");
        database.in(handle -> free(handle, held.record().id()));
        CrashPoint.pass("lock.release.after");
    }

    private int free(Handle handle, String id) {
        return handle.createUpdate(
                        "UPDATE site_lock SET id = NULL, holder = NULL, expires_at = NULL WHERE site = :site AND id = :id")
                .bind("site", site)
                .bind("id", id)
                .execute();
    }

    private Optional<Row> row(Handle handle, String locking) {
        return handle.createQuery("SELECT fence, holder::text AS holder, expires_at, clock_timestamp() AS now,"
                        + " coalesce(expires_at <= clock_timestamp(), false) AS is_over"
                        + " FROM site_lock WHERE site = :site " + locking)
                .bind("site", site)
                .map((row, _) -> new Row(
                        row.getLong("fence"),
                        Optional.ofNullable(row.getString("holder"))
                                .map(text -> StateJson.MAPPER.readValue(text, LockRecord.class)),
                        row.getBoolean("is_over"),
                        row.getTimestamp("now").toInstant(),
                        Optional.ofNullable(row.getTimestamp("expires_at")).map(Timestamp::toInstant)))
                .findOne();
    }

    private static String json(LockRecord record) {
        return StateJson.MAPPER.writeValueAsString(record);
    }
}
