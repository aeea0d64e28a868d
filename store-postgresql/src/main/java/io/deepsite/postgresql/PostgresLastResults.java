package io.deepsite.postgresql;

import io.deepsite.state.LastResults;
import java.util.Optional;

/** A row for each name. */
final class PostgresLastResults implements LastResults {
    private final Database database;
    private final String site;

    PostgresLastResults(Database database, String site) {
        this.database = database;
        this.site = site;
    }

    @Override
    public void keep(String name, String text) {
        database.in(handle -> handle.execute(
                "INSERT INTO last_result (site, name, content)"
                        + " SELECT site, ?, ? FROM site_state WHERE site = ?"
                        + " ON CONFLICT (site, name) DO UPDATE SET content = excluded.content",
                name,
                text,
                site));
    }

    @Override
    public Optional<String> read(String name) {
        return database.in(
                handle -> handle.createQuery("SELECT content FROM last_result WHERE site = :site AND name = :name")
                        .bind("site", site)
                        .bind("name", name)
                        .mapTo(String.class)
                        .findOne());
    }
}
