package io.deepsite.postgresql;

import io.deepsite.state.LockOwner;
import io.deepsite.state.SiteStores;
import io.deepsite.state.StateFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/** The real PostgreSQL that {@code testbed/postgresql/up} started: its URL is in {@code DEEPSITE_POSTGRESQL}. */
final class TestDatabase {
    /** Longer than any pause of a busy machine. */
    static final Duration LONG = Duration.ofMinutes(10);

    private final Path folder;
    private final String site = "lab-" + UUID.randomUUID();

    /** With a site that nobody else has. */
    TestDatabase(Path folder) {
        this.folder = folder;
    }

    static Database open() {
        var url = Objects.requireNonNull(
                System.getenv("DEEPSITE_POSTGRESQL"),
                "DEEPSITE_POSTGRESQL is not set: run testbed/maven-it --postgresql");
        return new Database(DatabaseUrl.parse(url, System.getenv()), System.getenv());
    }

    /** As a machine with this number sees the records. */
    PostgresStores machine(int number, LockOwner owner, Duration lease, Instant now) {
        var local = new StateFolder(folder.resolve("machine-" + number).resolve(site));
        return new PostgresStores(
                new SiteStores.Opening(local, site, "0.1.0", () -> now, _ -> {}), open(), owner, lease);
    }

    PostgresStores machine() {
        return machine(1, LockOwner.current("0.1.0"), LONG, Instant.parse("2026-11-21T12:00:00Z"));
    }

    String site() {
        return site;
    }
}
