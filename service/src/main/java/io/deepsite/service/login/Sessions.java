package io.deepsite.service.login;

import io.deepsite.service.access.Person;
import io.deepsite.service.records.Tables;
import io.deepsite.service.records.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.StatementContext;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Sessions of browsers. Replicas share them. */
final class Sessions {
    /** After a login, whatever happens: groups are those of the login. */
    static final Duration LONGEST = Duration.ofHours(10);
    /** After the last request. */
    static final Duration IDLE = Duration.ofHours(2);
    /** A request writes that it was there only if the last one is longer ago. */
    static final Duration NOTED = Duration.ofMinutes(5);

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TypeReference<List<String>> TEXTS = new TypeReference<>() {};

    private final Tables tables;
    private final InstantSource clock;

    Sessions(Tables tables, InstantSource clock) {
        this.tables = tables;
        this.clock = clock;
    }

    /** Also removes those that are over. @return what the browser gets */
    String begin(Person person) {
        var token = OpaqueToken.fresh();
        var now = clock.instant();
        tables.in(handle -> {
            handle.execute(
                    "DELETE FROM service.session WHERE ends_at <= ? OR seen_at <= ?", time(now), time(now.minus(IDLE)));
            return handle.execute(
                    """
                    INSERT INTO service.session (id, issuer, subject, name, email, member_of, seen_at, ends_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    OpaqueToken.hash(token),
                    person.issuer(),
                    person.subject(),
                    person.name(),
                    person.email().orElse(null),
                    JSON.writeValueAsString(person.groups()),
                    time(now),
                    time(now.plus(LONGEST)));
        });
        return token;
    }

    /** Whose session it is; nobody's if there is none, or it is over. */
    Optional<Person> find(String token) {
        if (!OpaqueToken.hasForm(token)) {
            return Optional.empty();
        }
        var id = OpaqueToken.hash(token);
        var now = clock.instant();
        return tables.in(handle -> {
            var found = handle.createQuery(
                            "SELECT * FROM service.session WHERE id = :id AND ends_at > :now AND seen_at > :idle")
                    .bind("id", id)
                    .bind("now", time(now))
                    .bind("idle", time(now.minus(IDLE)))
                    .map(Sessions::row)
                    .findOne();
            if (found.filter(row -> row.seenAt().isBefore(now.minus(NOTED))).isPresent()) {
                handle.execute("UPDATE service.session SET seen_at = ? WHERE id = ?", time(now), id);
            }
            return found.map(Row::person);
        });
    }

    /** The same, but does not count as a request: an answer that goes on keeps no session open. */
    Optional<Person> peek(String token) {
        var now = clock.instant();
        return tables.in(handle -> handle.createQuery(
                        "SELECT * FROM service.session WHERE id = :id AND ends_at > :now AND seen_at > :idle")
                .bind("id", OpaqueToken.hash(token))
                .bind("now", time(now))
                .bind("idle", time(now.minus(IDLE)))
                .map(Sessions::row)
                .findOne()
                .map(Row::person));
    }

    void end(String token) {
        tables.in(handle -> handle.execute("DELETE FROM service.session WHERE id = ?", OpaqueToken.hash(token)));
    }

    private record Row(Person person, Instant seenAt) {}

    private static Row row(ResultSet row, StatementContext context) throws SQLException {
        return new Row(
                new Person(
                        row.getString("issuer"),
                        row.getString("subject"),
                        row.getString("name"),
                        Optional.ofNullable(row.getString("email")),
                        JSON.readValue(row.getString("member_of"), TEXTS)),
                row.getObject("seen_at", OffsetDateTime.class).toInstant());
    }

    static OffsetDateTime time(Instant at) {
        return Timestamps.of(at);
    }
}
