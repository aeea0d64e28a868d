package io.deepsite.service.access;

import io.deepsite.service.records.Tables;
import io.deepsite.service.records.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.statement.StatementContext;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Everybody who was here, with the groups that they had then. Any thread may call. */
public final class People {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TypeReference<List<String>> TEXTS = new TypeReference<>() {};

    private final Tables tables;
    private final InstantSource clock;
    /** What this process has written already: one for each person. */
    private final Map<String, Person> written = new ConcurrentHashMap<>();

    public People(Tables tables, InstantSource clock) {
        this.tables = tables;
        this.clock = clock;
    }

    /** Writes who it is, if that is new. */
    public void seen(Person person) {
        if (person.equals(written.get(person.id()))) {
            return;
        }
        var now = Timestamps.of(clock.instant());
        var groups = JSON.writeValueAsString(person.groups());
        tables.in(handle -> {
            int known = handle.execute(
                    "UPDATE service.member SET name = ?, member_of = ?, seen_at = ? WHERE id = ?",
                    person.name(),
                    groups,
                    now,
                    person.id());
            return known == 1
                    ? known
                    : handle.execute(
                            "INSERT INTO service.member (id, issuer, subject, name, member_of, seen_at)"
                                    + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                            person.id(),
                            person.issuer(),
                            person.subject(),
                            person.name(),
                            groups,
                            now);
        });
        written.put(person.id(), person);
    }

    /** With this id, or exactly this name; without their mail addresses. */
    public List<Person> named(String idOrName) {
        return tables.in(
                handle -> handle.createQuery("SELECT * FROM service.member WHERE id = :who OR name = :who ORDER BY id")
                        .bind("who", idOrName)
                        .map(People::row)
                        .list());
    }

    private static Person row(ResultSet row, StatementContext context) throws SQLException {
        return new Person(
                row.getString("issuer"),
                row.getString("subject"),
                row.getString("name"),
                Optional.empty(),
                JSON.readValue(row.getString("member_of"), TEXTS));
    }
}
