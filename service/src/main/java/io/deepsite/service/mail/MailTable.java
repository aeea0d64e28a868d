package io.deepsite.service.mail;

import io.deepsite.service.records.Timestamps;
import io.deepsite.service.sites.Caller;
import io.deepsite.service.sites.LeaseWarnings;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Rows of mails. Each call is part of the caller's transaction. */
final class MailTable {
    /** News that no process found for so long is none. */
    private static final Duration FRESH = Duration.ofDays(1);

    /** Of each site its owner, and those with whom it is shared; what goes before the cause of their news makes it theirs. */
    private static final String PEOPLE = """
            (SELECT id AS site, owner AS person, '' AS share, created_at AS since
             FROM service.site
             UNION ALL
             SELECT site, person, id || ' ', shared_at FROM service.share WHERE ended_at IS NULL) p
            """;

    private MailTable() {}

    enum Status {
        WAITING,
        SENT,
        /** No news any more, or not wanted. */
        DROPPED,
        /** By the server, for good. */
        REFUSED,
        GIVEN_UP;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    record Row(long id, News news, int attempts, Instant notedAt) {}

    /** Of runs that have ended, of which there is no mail yet. */
    static List<News> ofRuns(Handle handle, Instant now) {
        return handle.createQuery("""
                        SELECT r.id, r.site, r.verb, r.status, r.asked_by, p.person, p.share
                        FROM service.run r JOIN %s ON p.site = r.site JOIN service.mailbox b ON b.person = p.person
                        WHERE r.ended_at >= :fresh AND r.ended_at >= b.since AND r.ended_at >= p.since
                            AND b.wanted AND b.address IS NOT NULL
                            AND r.verb <> 'plan' AND (r.status = 'done' OR (r.status = 'failed' AND p.share = ''))
                            AND (r.status = 'failed' OR r.verb <> 'delete' OR r.asked_by = :service)
                            AND NOT EXISTS (SELECT 1 FROM service.mail m WHERE m.cause = p.share || r.id)
                        """.formatted(PEOPLE))
                .bind("fresh", time(now.minus(FRESH)))
                .bind("service", Caller.SERVICE.id())
                .map((row, _) -> new News(
                        row.getString("share") + row.getString("id"),
                        kind(row),
                        row.getString("site"),
                        row.getString("person")))
                .list();
    }

    private static News.Kind kind(ResultSet row) throws SQLException {
        if (row.getString("status").equals("failed")) {
            return News.Kind.FAILED;
        }
        return row.getString("verb").equals("delete") ? News.Kind.LEASE_OVER : News.Kind.READY;
    }

    /** Of leases that end soon, of which there is no mail yet. */
    static List<News> ofLeases(Handle handle, LeaseWarnings warnings, Instant now) {
        return handle
                .createQuery("""
                        SELECT s.id, p.person, p.share, s.ends_at, coalesce(s.held_since, s.created_at) AS begun_at
                        FROM service.site s JOIN %s ON p.site = s.id JOIN service.mailbox b ON b.person = p.person
                        WHERE s.status IN ('ready', 'failed') AND s.ends_at > :now AND b.wanted AND b.address IS NOT NULL
                        """.formatted(PEOPLE))
                .bind("now", time(now))
                .map((row, _) -> {
                    var site = row.getString("id");
                    var share = row.getString("share");
                    var person = row.getString("person");
                    var end = instant(row, "ends_at");
                    return warnings.due(instant(row, "begun_at"), end, now)
                            .map(before -> new News(
                                    share + News.warning(site, end, before), News.Kind.LEASE_ENDS, site, person));
                })
                .stream()
                .flatMap(Optional::stream)
                .filter(news -> !isKnown(handle, news))
                .toList();
    }

    private static boolean isKnown(Handle handle, News news) {
        return handle.createQuery("SELECT count(*) FROM service.mail WHERE cause = :cause")
                        .bind("cause", news.cause())
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    /** Does nothing if another process has. */
    static void note(Handle handle, News news, Instant now) {
        handle.execute("""
                INSERT INTO service.mail (cause, kind, site, person, status, attempts, noted_at, next_at)
                VALUES (?, ?, ?, ?, 'waiting', 0, ?, ?) ON CONFLICT DO NOTHING
                """, news.cause(), news.kind().name(), news.site(), news.person(), time(now), time(now));
    }

    static List<Row> due(Handle handle, Instant now, int limit) {
        return handle.createQuery(
                        "SELECT * FROM service.mail WHERE status = 'waiting' AND next_at <= :now ORDER BY id LIMIT :limit")
                .bind("now", time(now))
                .bind("limit", limit)
                .map((row, _) -> new Row(
                        row.getLong("id"),
                        new News(
                                row.getString("cause"),
                                News.Kind.valueOf(row.getString("kind")),
                                row.getString("site"),
                                row.getString("person")),
                        row.getInt("attempts"),
                        instant(row, "noted_at")))
                .list();
    }

    /** @return whether it is this process that sends it, until then */
    static boolean claim(Handle handle, Row row, Instant until) {
        return handle.execute(
                        "UPDATE service.mail SET attempts = attempts + 1, next_at = ? WHERE id = ? AND attempts = ? AND status = 'waiting'",
                        time(until),
                        row.id(),
                        row.attempts())
                == 1;
    }

    static void later(Handle handle, Row row, Instant at) {
        handle.execute("UPDATE service.mail SET next_at = ? WHERE id = ?", time(at), row.id());
    }

    static void end(Handle handle, Row row, Status status) {
        handle.execute("UPDATE service.mail SET status = ? WHERE id = ?", status.word(), row.id());
    }

    private static OffsetDateTime time(Instant at) {
        return Timestamps.of(at);
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
