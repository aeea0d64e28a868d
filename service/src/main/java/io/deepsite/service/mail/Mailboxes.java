package io.deepsite.service.mail;

import io.deepsite.service.access.Person;
import io.deepsite.service.records.Tables;
import io.deepsite.service.records.Timestamps;
import java.time.InstantSource;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Where people get mail, as of their last login, and whether they want it. Any thread may call. */
public final class Mailboxes {
    private final Tables tables;
    private final InstantSource clock;

    public Mailboxes(Tables tables, InstantSource clock) {
        this.tables = tables;
        this.clock = clock;
    }

    /** @param address empty: the provider gave none, or none that it verified */
    public record Mailbox(Optional<String> address, boolean wanted) {}

    /** What the provider says of somebody now. */
    public void keep(Person person) {
        tables.in(handle -> {
            var address = person.email().orElse(null);
            if (handle.execute("UPDATE service.mailbox SET address = ? WHERE person = ?", address, person.id()) == 0) {
                handle.execute(
                        "INSERT INTO service.mailbox (person, address, wanted, since) VALUES (?, ?, true, ?) ON CONFLICT DO NOTHING",
                        person.id(),
                        address,
                        Timestamps.of(clock.instant()));
            }
            return person;
        });
    }

    public Mailbox want(Person person, boolean wanted) {
        keep(person);
        tables.in(handle ->
                handle.execute("UPDATE service.mailbox SET wanted = ? WHERE person = ?", wanted, person.id()));
        return of(person.id());
    }

    public Mailbox of(String person) {
        return tables.in(handle -> find(handle, person));
    }

    private static Mailbox find(Handle handle, String person) {
        return handle.createQuery("SELECT address, wanted FROM service.mailbox WHERE person = :person")
                .bind("person", person)
                .map((row, _) -> new Mailbox(Optional.ofNullable(row.getString("address")), row.getBoolean("wanted")))
                .findOne()
                .orElse(new Mailbox(Optional.empty(), true));
    }
}
