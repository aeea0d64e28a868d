package io.deepsite.service.sites;

import io.deepsite.service.catalogue.Amounts;
import io.deepsite.service.records.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Rows of sites. Each call is part of the caller's transaction. */
final class SiteTable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<TreeMap<String, String>> TEXTS = new TypeReference<>() {};
    private static final TypeReference<List<String>> WORDS = new TypeReference<>() {};
    private static final String OPEN = "status <> 'deleted'";

    private SiteTable() {}

    static void insert(Handle handle, SiteRow site) {
        handle.createUpdate("""
                        INSERT INTO service.site (id, name, title, project, owner, owner_name, template, account, parameters, yaml,
                            status, version, last_event, holds_quota, machines, cpus, memory, gpus, created_at, starts_at)
                        VALUES (:id, :name, :title, :project, :owner, :ownerName, :template, :account, :parameters, :yaml,
                            :status, 1, 0, false, :machines, :cpus, :memory, :gpus, :createdAt, :startsAt)
                        """)
                .bind("id", site.id())
                .bind("name", site.name())
                .bind("title", site.title())
                .bind("project", site.project())
                .bind("owner", site.owner())
                .bind("ownerName", site.ownerName())
                .bind("template", site.template().orElse(null))
                .bind("account", site.account().orElse(null))
                .bind("parameters", JSON.writeValueAsString(site.parameters()))
                .bind("yaml", site.yaml())
                .bind("status", site.status().word())
                .bind("machines", site.amounts().machines())
                .bind("cpus", site.amounts().cpus())
                .bind("memory", site.amounts().memory())
                .bind("gpus", site.amounts().gpus())
                .bind("createdAt", time(site.createdAt()))
                .bind("startsAt", time(site.startsAt()))
                .execute();
    }

    static Optional<SiteRow> find(Handle handle, String id) {
        return handle.createQuery("SELECT * FROM service.site WHERE id = :id")
                .bind("id", id)
                .map(SiteTable::row)
                .findOne();
    }

    /** Nobody else changes it until the transaction ends. */
    static Optional<SiteRow> lock(Handle handle, String id) {
        return handle.createQuery("SELECT * FROM service.site WHERE id = :id FOR UPDATE")
                .bind("id", id)
                .map(SiteTable::row)
                .findOne();
    }

    /**
     * The latest first.
     *
     * @param only of this person, or shared with this person; empty: all
     * @param before only older ones than this id's; empty: from the latest on
     */
    static List<SiteRow> of(
            Handle handle,
            String project,
            Optional<String> only,
            boolean deleted,
            Optional<SiteRow> before,
            int limit) {
        return handle.createQuery("SELECT * FROM service.site WHERE project = :project"
                        + (deleted ? "" : " AND " + OPEN)
                        + (only.isEmpty()
                                ? ""
                                : " AND (owner = :person OR id IN (SELECT site FROM service.share"
                                        + " WHERE person = :person AND ended_at IS NULL))")
                        + (before.isPresent() ? " AND (created_at, id) < (:at, :id)" : "")
                        + " ORDER BY created_at DESC, id DESC LIMIT :limit")
                .bind("project", project)
                .bind("person", only.orElse(null))
                .bind("limit", limit)
                .bind("at", before.map(row -> time(row.createdAt())).orElse(null))
                .bind("id", before.map(SiteRow::id).orElse(null))
                .map(SiteTable::row)
                .list();
    }

    /** That count for the quota, or did since then. */
    static List<SiteRow> holdingSince(Handle handle, String project, Instant since) {
        return handle.createQuery("""
                        SELECT * FROM service.site WHERE project = :project AND held_since IS NOT NULL
                            AND (held_until IS NULL OR held_until > :since)
                        """)
                .bind("project", project)
                .bind("since", time(since))
                .map(SiteTable::row)
                .list();
    }

    /** In the order in which they were confirmed. */
    static List<SiteRow> waiting(Handle handle) {
        return handle.createQuery("""
                        SELECT s.* FROM service.site s JOIN service.run r ON r.site = s.id AND r.status = 'queued'
                        WHERE s.status = 'waiting' ORDER BY r.seq
                        """).map(SiteTable::row).list();
    }

    /** Whose lease is over, and which nobody deletes yet. */
    static List<SiteRow> over(Handle handle, Instant now) {
        return handle.createQuery(
                        "SELECT * FROM service.site WHERE ends_at <= :now AND status NOT IN ('deleting', 'deleted')")
                .bind("now", time(now))
                .map(SiteTable::row)
                .list();
    }

    /** Which of these are no more. */
    static List<String> deleted(Handle handle, List<String> ids) {
        return handle.createQuery("SELECT id FROM service.site WHERE status = 'deleted' AND id IN (<ids>)")
                .bindList("ids", ids)
                .mapTo(String.class)
                .list();
    }

    static void status(Handle handle, String id, SiteStatus status) {
        handle.execute("UPDATE service.site SET status = ?, version = version + 1 WHERE id = ?", status.word(), id);
    }

    /** @param resize null: none is going on */
    static void resize(Handle handle, String id, @Nullable Resize resize) {
        handle.execute(
                "UPDATE service.site SET resize = ? WHERE id = ?",
                resize == null ? null : JSON.writeValueAsString(resize),
                id);
    }

    static void consents(Handle handle, String id, List<String> consents) {
        handle.execute("UPDATE service.site SET consents = ? WHERE id = ?", JSON.writeValueAsString(consents), id);
    }

    static void parameters(Handle handle, String id, Map<String, String> parameters) {
        handle.execute("UPDATE service.site SET parameters = ? WHERE id = ?", JSON.writeValueAsString(parameters), id);
    }

    static void built(Handle handle, String id) {
        handle.execute("UPDATE service.site SET built = true WHERE id = ?", id);
    }

    /** @param yaml with other users than before */
    static void users(Handle handle, String id, String yaml) {
        handle.execute(
                "UPDATE service.site SET yaml = ?, users_changed = true, version = version + 1 WHERE id = ?", yaml, id);
    }

    /** A run has read its site.yaml, and brings these users. */
    static void usersTaken(Handle handle, String id) {
        handle.execute("UPDATE service.site SET users_changed = false WHERE id = ?", id);
    }

    /** What it counts for from now on; what it counted for is kept. */
    static void amounts(Handle handle, SiteRow site, Amounts amounts, Instant now) {
        var held = find(handle, site.id()).orElseThrow();
        if (amounts.equals(held.amounts())) {
            return;
        }
        held.heldSince()
                .ifPresent(since -> handle.execute(
                        "INSERT INTO service.held (site, gpus, since, until) VALUES (?, ?, ?, ?)",
                        site.id(),
                        held.amounts().gpus(),
                        time(since),
                        time(now)));
        handle.createUpdate(
                        "UPDATE service.site SET machines = :machines, cpus = :cpus, memory = :memory, gpus = :gpus,"
                                + " held_since = :now WHERE id = :id")
                .bind("machines", amounts.machines())
                .bind("cpus", amounts.cpus())
                .bind("memory", amounts.memory())
                .bind("gpus", amounts.gpus())
                .bind("now", time(now))
                .bind("id", site.id())
                .execute();
    }

    /** GPUs that sites of a project held before they were resized. */
    record Held(int gpus, Instant since, Instant until) {}

    static List<Held> heldBefore(Handle handle, String project, Instant since) {
        return handle.createQuery("""
                        SELECT h.gpus, h.since, h.until FROM service.held h JOIN service.site s ON s.id = h.site
                        WHERE s.project = :project AND h.until > :since
                        """)
                .bind("project", project)
                .bind("since", time(since))
                .map((row, _) -> new Held(
                        row.getInt("gpus"),
                        time(row, "since").orElseThrow(),
                        time(row, "until").orElseThrow()))
                .list();
    }

    static void hold(Handle handle, String id, Instant since) {
        handle.execute(
                "UPDATE service.site SET holds_quota = true, held_since = coalesce(held_since, ?) WHERE id = ?",
                time(since),
                id);
    }

    static void release(Handle handle, String id, Instant until) {
        handle.execute(
                "UPDATE service.site SET holds_quota = false, held_until = ? WHERE id = ? AND holds_quota",
                time(until),
                id);
    }

    static void endsAt(Handle handle, String id, @Nullable Instant end) {
        handle.execute(
                "UPDATE service.site SET ends_at = ?, version = version + 1 WHERE id = ?",
                end == null ? null : time(end),
                id);
    }

    /** The number of a new event. */
    static long nextEvent(Handle handle, String id) {
        handle.execute("UPDATE service.site SET last_event = last_event + 1 WHERE id = ?", id);
        return handle.createQuery("SELECT last_event FROM service.site WHERE id = :id")
                .bind("id", id)
                .mapTo(Long.class)
                .one();
    }

    /** @param sql gives two texts and a number a row */
    static List<SiteService.Count> counts(Handle handle, String sql) {
        return handle.createQuery(sql)
                .map((row, _) -> new SiteService.Count(row.getString(1), row.getString(2), row.getLong(3)))
                .list();
    }

    static Map<String, Long> lastEvents(Handle handle, List<String> ids) {
        var last = new HashMap<String, Long>();
        handle.createQuery("SELECT id, last_event FROM service.site WHERE id IN (<ids>)")
                .bindList("ids", ids)
                .map((row, _) -> Map.entry(row.getString("id"), row.getLong("last_event")))
                .forEach(entry -> last.put(entry.getKey(), entry.getValue()));
        return last;
    }

    /**
     * A row of its own for each project, to lock. Its key stays free, which FOR UPDATE would lock, too: PostgreSQL looks
     * it up again when a transaction changes a site for the second time, while whoever counts the project waits for
     * that site.
     */
    static void lockProject(Handle handle, String name) {
        handle.execute("UPDATE service.project SET name = name WHERE name = ?", name);
    }

    static OffsetDateTime time(Instant at) {
        return Timestamps.of(at);
    }

    static Optional<Instant> time(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    private static SiteRow row(ResultSet row, StatementContext context) throws SQLException {
        return new SiteRow(
                row.getString("id"),
                row.getString("name"),
                row.getString("title"),
                row.getString("project"),
                row.getString("owner"),
                row.getString("owner_name"),
                Optional.ofNullable(row.getString("template")),
                Optional.ofNullable(row.getString("account")),
                JSON.readValue(row.getString("parameters"), TEXTS),
                row.getString("yaml"),
                SiteStatus.of(row.getString("status")),
                row.getLong("version"),
                row.getLong("last_event"),
                row.getBoolean("holds_quota"),
                new Amounts(1, row.getInt("machines"), row.getInt("cpus"), row.getLong("memory"), row.getInt("gpus")),
                time(row, "created_at").orElseThrow(),
                time(row, "starts_at").orElseThrow(),
                time(row, "held_since"),
                time(row, "held_until"),
                time(row, "ends_at"),
                row.getBoolean("built"),
                Optional.ofNullable(row.getString("resize")).map(resize -> JSON.readValue(resize, Resize.class)),
                JSON.readValue(row.getString("consents"), WORDS),
                row.getBoolean("users_changed"),
                JSON.readValue(row.getString("elastic_machines"), WORDS));
    }
}
