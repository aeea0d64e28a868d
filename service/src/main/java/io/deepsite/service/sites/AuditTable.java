package io.deepsite.service.sites;

import static io.deepsite.service.sites.SiteTable.time;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Who did what, when and from where. Rows are added and read, nothing else. */
public final class AuditTable {
    private AuditTable() {}

    /** @param detail in words; holds no secret */
    public record Entry(
            long seq,
            Instant at,
            String who,
            String from,
            String action,
            Optional<String> project,
            Optional<String> site,
            String detail) {}

    /** Of no site. */
    static void add(Handle handle, Instant at, Caller caller, String action) {
        handle.execute(
                "INSERT INTO service.audit (at, who, from_ip, action, detail) VALUES (?, ?, ?, ?, ?)",
                time(at),
                caller.id(),
                caller.address(),
                action,
                caller.name());
    }

    static void add(Handle handle, Instant at, Caller caller, String action, SiteRow site, String detail) {
        handle.execute(
                "INSERT INTO service.audit (at, who, from_ip, action, project, site, detail) VALUES (?, ?, ?, ?, ?, ?, ?)",
                time(at),
                caller.id(),
                caller.address(),
                action,
                site.project(),
                site.id(),
                detail);
    }

    /** The latest first. */
    static List<Entry> before(Handle handle, String project, long before, int limit) {
        return handle.createQuery(
                        "SELECT * FROM service.audit WHERE project = :project AND seq < :before ORDER BY seq DESC LIMIT :limit")
                .bind("project", project)
                .bind("before", before)
                .bind("limit", limit)
                .map((row, _) -> new Entry(
                        row.getLong("seq"),
                        time(row, "at").orElseThrow(),
                        row.getString("who"),
                        row.getString("from_ip"),
                        row.getString("action"),
                        Optional.ofNullable(row.getString("project")),
                        Optional.ofNullable(row.getString("site")),
                        row.getString("detail")))
                .list();
    }
}
