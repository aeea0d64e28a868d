package io.deepsite.service.sites;

import io.deepsite.ansible.BundleArchive;
import io.deepsite.operations.SharedPlaybook;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Rows of playbooks that a process offers to others. Each call is part of the caller's transaction. */
final class PlaybookTable {
    private PlaybookTable() {}

    /**
     * @param attempt of the run
     * @param lock id of the lock of the site
     * @param by the process that offers it
     */
    record Offer(String id, String run, long attempt, String lock, String by, SharedPlaybook.Task task) {}

    /**
     * What is known of one.
     *
     * @param takenBy the process that runs it
     * @param silent since that showed life, by the database's clock
     * @param ended how, if it has
     * @param lines that are new
     */
    record Progress(
            Optional<String> takenBy, Duration silent, Optional<SharedPlaybook.Ended> ended, List<String> lines) {}

    static int insert(Handle handle, Offer offer) {
        var task = offer.task();
        return handle.execute(
                """
                INSERT INTO service.playbook
                    (id, run, attempt, site_lock, offered_by, folder, name, hosts, grace, bundle, stop)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
                """,
                offer.id(),
                offer.run(),
                offer.attempt(),
                offer.lock(),
                offer.by(),
                task.run(),
                task.name(),
                task.hosts(),
                task.grace().toMillis(),
                task.bundle().bytes());
    }

    /** If nobody has it. */
    static Optional<Offer> free(Handle handle, String id) {
        return handle.createQuery("SELECT * FROM service.playbook WHERE id = :id AND taken_by IS NULL")
                .bind("id", id)
                .map(PlaybookTable::offer)
                .findOne();
    }

    /** @return whether nobody had it */
    static boolean take(Handle handle, String id, String by) {
        return handle.execute(
                        "UPDATE service.playbook SET taken_by = ?, seen_at = CURRENT_TIMESTAMP WHERE id = ? AND taken_by IS NULL",
                        by,
                        id)
                == 1;
    }

    /** @return whether nobody had it; then it is gone */
    static boolean takeBack(Handle handle, String id) {
        return handle.execute("DELETE FROM service.playbook WHERE id = ? AND taken_by IS NULL", id) == 1;
    }

    /**
     * Empty if it is gone.
     *
     * @param after number of lines that are known
     */
    static Optional<Progress> progress(Handle handle, String id, long after) {
        var lines = handle.createQuery(
                        "SELECT line FROM service.playbook_line WHERE playbook = :id AND seq >= :after ORDER BY seq")
                .bind("id", id)
                .bind("after", after)
                .mapTo(String.class)
                .list();
        return handle.createQuery(
                        "SELECT taken_by, seen_at, exit_code, log, connections, CURRENT_TIMESTAMP AS now FROM service.playbook WHERE id = :id")
                .bind("id", id)
                .map((row, _) -> progress(row, lines))
                .findOne();
    }

    private static Progress progress(ResultSet row, List<String> lines) throws SQLException {
        var seen = SiteTable.time(row, "seen_at");
        var log = Optional.ofNullable(row.getString("log"));
        int exit = row.getInt("exit_code");
        var connections = row.getString("connections");
        var now = SiteTable.time(row, "now").orElseThrow();
        return new Progress(
                Optional.ofNullable(row.getString("taken_by")),
                seen.map(at -> Duration.between(at, now)).orElse(Duration.ZERO),
                log.map(text -> new SharedPlaybook.Ended(exit, text, connections)),
                lines);
    }

    static int stop(Handle handle, String id, int how) {
        return handle.execute("UPDATE service.playbook SET stop = ? WHERE id = ? AND stop < ?", how, id, how);
    }

    /**
     * Shows life.
     *
     * @return what was asked, see the column {@code stop}; empty if nobody waits for it any more
     */
    static Optional<Integer> beat(Handle handle, Offer offer, String by) {
        handle.execute(
                "UPDATE service.playbook SET seen_at = CURRENT_TIMESTAMP WHERE id = ? AND taken_by = ?",
                offer.id(),
                by);
        return handle.createQuery("""
                        SELECT p.stop FROM service.playbook p JOIN service.run r ON r.id = p.run
                        WHERE p.id = :id AND p.taken_by = :by AND r.attempt = p.attempt AND r.status = 'running'
                        """)
                .bind("id", offer.id())
                .bind("by", by)
                .mapTo(Integer.class)
                .findOne();
    }

    /**
     * Those that it has already are passed over.
     *
     * @param first number of the first of them
     */
    static void add(Handle handle, String id, long first, List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        var batch = handle.prepareBatch(
                "INSERT INTO service.playbook_line (playbook, seq, line) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
        for (int number = 0; number < lines.size(); number++) {
            batch.add(id, first + number, lines.get(number));
        }
        batch.execute();
    }

    static int end(Handle handle, String id, String by, SharedPlaybook.Ended ended) {
        return handle.execute(
                "UPDATE service.playbook SET exit_code = ?, log = ?, connections = ? WHERE id = ? AND taken_by = ?",
                ended.exit(),
                ended.log().replace('\0', '?'),
                ended.connections(),
                id,
                by);
    }

    /** That could not be begun; only who offers it takes it now. */
    static int giveBack(Handle handle, String id, String by) {
        return handle.execute("UPDATE service.playbook SET taken_by = NULL WHERE id = ? AND taken_by = ?", id, by);
    }

    static int delete(Handle handle, String id) {
        return handle.execute("DELETE FROM service.playbook WHERE id = ?", id);
    }

    /** Of former attempts, or of a run that has ended. */
    static void deleteOf(Handle handle, String run) {
        handle.execute("DELETE FROM service.playbook WHERE run = ?", run);
    }

    private static Offer offer(ResultSet row, StatementContext context) throws SQLException {
        return new Offer(
                row.getString("id"),
                row.getString("run"),
                row.getLong("attempt"),
                row.getString("site_lock"),
                row.getString("offered_by"),
                new SharedPlaybook.Task(
                        row.getString("folder"),
                        row.getString("name"),
                        row.getInt("hosts"),
                        Duration.ofMillis(row.getLong("grace")),
                        new BundleArchive(row.getBytes("bundle"))));
    }
}
