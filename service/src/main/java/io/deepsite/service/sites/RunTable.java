package io.deepsite.service.sites;

import static io.deepsite.service.sites.SiteTable.time;

import io.deepsite.service.sites.RunRow.Status;
import io.deepsite.service.sites.RunRow.Verb;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Rows of runs and events. Each call is part of the caller's transaction. */
final class RunTable {
    private RunTable() {}

    static void insert(Handle handle, String id, String site, Verb verb, String askedBy, Instant askedAt) {
        handle.execute("""
                INSERT INTO service.run (id, site, verb, status, attempt, asked_by, asked_at, cancels, steps, steps_done)
                VALUES (?, ?, ?, 'queued', 0, ?, ?, 0, 0, 0)
                """, id, site, verb.word(), askedBy, time(askedAt));
    }

    static Optional<RunRow> find(Handle handle, String id) {
        return handle.createQuery("SELECT * FROM service.run WHERE id = :id")
                .bind("id", id)
                .map(RunTable::row)
                .findOne();
    }

    /** The latest first. */
    static List<RunRow> of(Handle handle, String site) {
        return handle.createQuery("SELECT * FROM service.run WHERE site = :site ORDER BY seq DESC")
                .bind("site", site)
                .map(RunTable::row)
                .list();
    }

    /** That are not over, in the order in which they were asked for. */
    static List<RunRow> open(Handle handle, String site) {
        return of(handle, site).reversed().stream()
                .filter(run -> !run.status().isOver())
                .toList();
    }

    /** @return the number of this attempt */
    static long begin(Handle handle, String id, Instant at) {
        handle.execute(
                "UPDATE service.run SET status = 'running', attempt = attempt + 1, begun_at = coalesce(begun_at, ?), steps_done = 0"
                        + " WHERE id = ?",
                time(at),
                id);
        return find(handle, id).orElseThrow().attempt();
    }

    /** @return whether it still is this attempt that works on it */
    static boolean end(
            Handle handle, RunRow run, Status status, Optional<String> result, Optional<String> faults, Instant at) {
        return handle.execute(
                        "UPDATE service.run SET status = ?, ended_at = ?, result = ?, faults = ? WHERE id = ? AND attempt = ?",
                        status.word(),
                        time(at),
                        result.orElse(null),
                        faults.orElse(null),
                        run.id(),
                        run.attempt())
                == 1;
    }

    static void cancel(Handle handle, String id) {
        handle.execute("UPDATE service.run SET cancels = cancels + 1 WHERE id = ?", id);
    }

    static void steps(Handle handle, String id, int steps) {
        handle.execute("UPDATE service.run SET steps = ? WHERE id = ?", steps, id);
    }

    static void stepDone(Handle handle, String id) {
        handle.execute("UPDATE service.run SET steps_done = steps_done + 1 WHERE id = ?", id);
    }

    /** Of runs that went well, the latest first. */
    static List<Duration> times(Handle handle, String template, Verb verb, int limit) {
        return handle.createQuery("""
                        SELECT r.begun_at, r.ended_at FROM service.run r JOIN service.site s ON s.id = r.site
                        WHERE s.template = :template AND r.verb = :verb AND r.status = 'done' AND r.attempt = 1
                        ORDER BY r.ended_at DESC LIMIT :limit
                        """)
                .bind("template", template)
                .bind("verb", verb.word())
                .bind("limit", limit)
                .map((row, _) -> Duration.between(
                        time(row, "begun_at").orElseThrow(),
                        time(row, "ended_at").orElseThrow()))
                .list();
    }

    static long addEvent(Handle handle, String site, Optional<String> run, Instant at, String event) {
        long seq = SiteTable.nextEvent(handle, site);
        handle.execute(
                "INSERT INTO service.event (site, seq, run, at, event) VALUES (?, ?, ?, ?, ?)",
                site,
                seq,
                run.orElse(null),
                time(at),
                event);
        return seq;
    }

    static List<EventRow> events(Handle handle, String site, long after, int limit) {
        return handle.createQuery(
                        "SELECT * FROM service.event WHERE site = :site AND seq > :after ORDER BY seq LIMIT :limit")
                .bind("site", site)
                .bind("after", after)
                .bind("limit", limit)
                .map((row, _) -> new EventRow(
                        row.getLong("seq"),
                        Optional.ofNullable(row.getString("run")),
                        time(row, "at").orElseThrow(),
                        row.getString("event")))
                .list();
    }

    private static RunRow row(ResultSet row, StatementContext context) throws SQLException {
        return new RunRow(
                row.getString("id"),
                row.getString("site"),
                Verb.valueOf(row.getString("verb").toUpperCase(Locale.ROOT)),
                Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                row.getLong("attempt"),
                row.getString("asked_by"),
                time(row, "asked_at").orElseThrow(),
                time(row, "begun_at"),
                time(row, "ended_at"),
                row.getInt("cancels"),
                row.getInt("steps"),
                row.getInt("steps_done"),
                Optional.ofNullable(row.getString("result")),
                Optional.ofNullable(row.getString("faults")));
    }
}
