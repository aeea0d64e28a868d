package io.deepsite.postgresql;

import io.deepsite.state.CrashPoint;
import io.deepsite.state.Journal;
import io.deepsite.state.JournalEntry;
import io.deepsite.state.JournalEntry.EntryKind;
import io.deepsite.state.Runs;
import io.deepsite.state.StateJson;
import java.sql.Timestamp;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.core.type.TypeReference;

/** Entries as rows; a batch of them is one transaction. */
final class PostgresJournal implements Journal {
    private final String site;
    private final PostgresLock lock;
    private final InstantSource clock;
    private final ReentrantLock guard = new ReentrantLock();
    private final List<JournalEntry> entries;
    private long last;

    PostgresJournal(Database database, String site, PostgresLock lock, InstantSource clock) {
        this.site = site;
        this.lock = lock;
        this.clock = clock;
        this.entries = new ArrayList<>(read(database, site));
        this.last =
                database.in(handle -> handle.createQuery("SELECT coalesce(max(seq), 0) FROM journal WHERE site = :site")
                        .bind("site", site)
                        .mapTo(Long.class)
                        .one());
    }

    /** Those of runs that are not complete. */
    static List<JournalEntry> read(Database database, String site) {
        return database.in(handle -> handle.createQuery(
                        "SELECT seq, at, run, step, event, detail::text AS detail FROM journal"
                                + " WHERE site = :site AND NOT closed ORDER BY seq")
                .bind("site", site)
                .map((row, _) -> new JournalEntry(
                        row.getLong("seq"),
                        row.getTimestamp("at").toInstant(),
                        row.getString("run"),
                        row.getString("step"),
                        EntryKind.valueOf(row.getString("event")),
                        StateJson.MAPPER.readValue(
                                row.getString("detail"), new TypeReference<TreeMap<String, String>>() {})))
                .list());
    }

    @Override
    public void append(String run, EntryKind event, Map<String, Map<String, String>> details) {
        if (details.isEmpty()) {
            return;
        }
        var point = "journal." + event.name().toLowerCase(Locale.ROOT);
        CrashPoint.pass(point + ".before");
        var added = numbered(run, event, details);
        lock.write(handle -> {
            // Again after a connection that broke when it was written already.
            var batch = handle.prepareBatch("INSERT INTO journal (site, seq, at, run, step, event, detail)"
                    + " VALUES (:site, :seq, :at, :run, :step, :event, CAST(:detail AS jsonb)) ON CONFLICT DO NOTHING");
            for (var entry : added) {
                batch.bind("site", site)
                        .bind("seq", entry.seq())
                        .bind("at", Timestamp.from(entry.at()))
                        .bind("run", entry.run())
                        .bind("step", entry.step())
                        .bind("event", entry.event().name())
                        .bind("detail", StateJson.MAPPER.writeValueAsString(entry.detail()))
                        .add();
            }
            batch.execute();
        });
        guard.lock();
        try {
            entries.addAll(added);
        } finally {
            guard.unlock();
        }
        CrashPoint.pass(point + ".after");
    }

    private List<JournalEntry> numbered(String run, EntryKind event, Map<String, Map<String, String>> details) {
        guard.lock();
        try {
            var now = clock.instant();
            var added = new ArrayList<JournalEntry>();
            details.forEach((step, detail) ->
                    added.add(new JournalEntry(++last, now, run, step, event, new TreeMap<>(detail))));
            return added;
        } finally {
            guard.unlock();
        }
    }

    @Override
    public List<JournalEntry> entries() {
        guard.lock();
        try {
            return List.copyOf(entries);
        } finally {
            guard.unlock();
        }
    }

    @Override
    public void finish(Runs.Run run) {
        requireComplete();
        CrashPoint.pass("journal.finish.before");
        lock.write(handle -> handle.execute("UPDATE journal SET closed = true WHERE site = ? AND NOT closed", site));
        guard.lock();
        try {
            entries.clear();
        } finally {
            guard.unlock();
        }
        CrashPoint.pass("journal.finish.after");
    }

    @Override
    public void close() {}
}
