package io.deepsite.service.sites;

import static io.deepsite.service.sites.SiteTable.time;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Rows of shares. Each call is part of the caller's transaction. */
final class ShareTable {
    private ShareTable() {}

    static void insert(Handle handle, ShareRow share) {
        handle.execute(
                "INSERT INTO service.share (id, site, person, person_name, account, uid, shared_by, shared_at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                share.id(),
                share.site(),
                share.person(),
                share.personName(),
                share.account().orElse(null),
                share.uid().orElse(null),
                share.sharedBy(),
                time(share.sharedAt()));
    }

    static void end(Handle handle, String id, Instant at) {
        handle.execute("UPDATE service.share SET ended_at = ? WHERE id = ?", time(at), id);
    }

    /** Also those that have ended, in the order in which they began. */
    static List<ShareRow> of(Handle handle, String site) {
        return handle.createQuery("SELECT * FROM service.share WHERE site = :site ORDER BY shared_at, id")
                .bind("site", site)
                .map(ShareTable::row)
                .list();
    }

    static Optional<ShareRow> with(Handle handle, String site, String person) {
        return handle.createQuery(
                        "SELECT * FROM service.share WHERE site = :site AND person = :person AND ended_at IS NULL")
                .bind("site", site)
                .bind("person", person)
                .map(ShareTable::row)
                .findOne();
    }

    private static ShareRow row(ResultSet row, StatementContext context) throws SQLException {
        return new ShareRow(
                row.getString("id"),
                row.getString("site"),
                row.getString("person"),
                row.getString("person_name"),
                Optional.ofNullable(row.getString("account")),
                Optional.ofNullable(row.getObject("uid", Integer.class)),
                row.getString("shared_by"),
                time(row, "shared_at").orElseThrow(),
                time(row, "ended_at"));
    }
}
