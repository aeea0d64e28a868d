package io.deepsite.postgresql;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.CrashPoint;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateJson;
import io.deepsite.state.StateStore;
import io.deepsite.state.StateWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The state as one JSON text, with the last states of earlier holders of the lock beside it. */
final class PostgresStateStore implements StateStore {
    private static final int KEPT = 20;

    private final Database database;
    private final String site;
    private final PostgresLock lock;
    private final StateWriter writer = new StateWriter();

    PostgresStateStore(Database database, String site, PostgresLock lock) {
        this.database = database;
        this.site = site;
        this.lock = lock;
    }

    private record Version(String lineage, long serial) {}

    @Override
    public Optional<SiteState> read() {
        return database.in(this::stored);
    }

    @Override
    public SiteState write(SiteState next) {
        return put(next, false);
    }

    @Override
    public SiteState supersede(SiteState next) {
        return put(next, true);
    }

    /** @param over whether an empty state of another lineage may be there */
    private SiteState put(SiteState next, boolean over) {
        var written = next.withSerial(next.serial() + 1);
        var text = text(written);
        CrashPoint.pass("state.write.before");
        lock.write(handle -> {
            var present = version(handle);
            if (new Version(written.lineage(), written.serial()).equals(present) && isWritten(handle, text)) {
                // The connection broke after this very write.
                return;
            }
            refuseStale(handle, next, present, over);
            keepThatOfTheHolderBefore(handle);
            handle.createUpdate("INSERT INTO site_state (site, lineage, serial, fence, state)"
                            + " VALUES (:site, :lineage, :serial, :fence, CAST(:state AS json))"
                            + " ON CONFLICT (site) DO UPDATE SET lineage = excluded.lineage, serial = excluded.serial,"
                            + " fence = excluded.fence, state = excluded.state, written_at = clock_timestamp()")
                    .bind("site", site)
                    .bind("lineage", written.lineage())
                    .bind("serial", written.serial())
                    .bind("fence", lock.tenure())
                    .bind("state", text)
                    .execute();
        });
        CrashPoint.pass("state.write.after");
        return written;
    }

    private void refuseStale(Handle handle, SiteState next, @Nullable Version present, boolean over) {
        boolean fits = present == null
                ? next.serial() == 0
                : present.equals(new Version(next.lineage(), next.serial()))
                        || (over && stored(handle).orElseThrow().isEmpty());
        if (!fits) {
            var found = present == null
                    ? "its state in " + database.url() + " is gone."
                    : present.lineage().equals(next.lineage())
                            ? database.url() + " has serial " + present.serial() + "."
                            : database.url() + " has one of another lineage, " + present.lineage() + ".";
            throw new Failure(Diagnostic.error(
                    Code.STATE_STALE,
                    "This operation works on serial " + next.serial() + " of lineage " + next.lineage() + ", but "
                            + found + " Nothing was written.",
                    "Run the command again: it begins from what is recorded now."));
        }
    }

    private @Nullable Version version(Handle handle) {
        return handle.createQuery("SELECT lineage, serial FROM site_state WHERE site = :site")
                .bind("site", site)
                .map((row, _) -> new Version(row.getString("lineage"), row.getLong("serial")))
                .findOne()
                .orElse(null);
    }

    private boolean isWritten(Handle handle, String text) {
        return handle.createQuery("SELECT fence = :fence AND state::text = :state FROM site_state WHERE site = :site")
                .bind("fence", lock.tenure())
                .bind("state", text)
                .bind("site", site)
                .mapTo(Boolean.class)
                .one();
    }

    private void keepThatOfTheHolderBefore(Handle handle) {
        int kept = handle.createUpdate("INSERT INTO site_history (site, fence, lineage, serial, written_at, state)"
                        + " SELECT site, fence, lineage, serial, written_at, state FROM site_state"
                        + " WHERE site = :site AND fence < :fence ON CONFLICT DO NOTHING")
                .bind("site", site)
                .bind("fence", lock.tenure())
                .execute();
        if (kept > 0) {
            handle.createUpdate("DELETE FROM site_history WHERE site = :site AND fence NOT IN"
                            + " (SELECT fence FROM site_history WHERE site = :site ORDER BY fence DESC LIMIT :kept)")
                    .bind("site", site)
                    .bind("kept", KEPT)
                    .execute();
        }
    }

    private Optional<SiteState> stored(Handle handle) {
        return handle.createQuery("SELECT state::text FROM site_state WHERE site = :site")
                .bind("site", site)
                .mapTo(String.class)
                .findOne()
                .map(text -> StateJson.read(
                        text.getBytes(StandardCharsets.UTF_8), database.url().toString(), this::unreadable));
    }

    private Failure unreadable(String why, @Nullable Throwable cause) {
        return new Failure(
                Diagnostic.error(
                        Code.STATE_UNREADABLE,
                        "The state of " + site + " in " + database.url() + ": " + why + " Nothing was changed.",
                        "Something other than deepsite wrote it. The states before are in the table site_history; put the"
                                + " last one back, then let plan show what it lacks:",
                        "deepsite plan"),
                cause);
    }

    private String text(SiteState state) {
        var text = new ByteArrayOutputStream();
        try {
            writer.write(state, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString(StandardCharsets.UTF_8);
    }
}
