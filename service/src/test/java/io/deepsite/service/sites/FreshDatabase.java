package io.deepsite.service.sites;

import io.deepsite.postgresql.Database;
import java.sql.SQLException;
import java.util.Objects;

/** An empty database of its own in the PostgreSQL that {@code testbed/postgresql/up} started: its URL is in {@code DEEPSITE_POSTGRESQL}. */
public final class FreshDatabase implements AutoCloseable {
    private final String server;
    private final String name = "test_" + Ids.random();

    public FreshDatabase() {
        server = Objects.requireNonNull(
                System.getenv("DEEPSITE_POSTGRESQL"), "DEEPSITE_POSTGRESQL is not set: run the lane service-replicas");
        onServer("CREATE DATABASE " + name);
    }

    /** Connections of one process. */
    public Database open() {
        return Database.ofService(server.replaceFirst("/[^/]*$", "/" + name), System.getenv());
    }

    private void onServer(String statement) {
        try (var database = Database.ofService(server, System.getenv());
                var connection = database.source().getConnection();
                var one = connection.createStatement()) {
            one.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        onServer("DROP DATABASE " + name + " WITH (FORCE)");
    }
}
