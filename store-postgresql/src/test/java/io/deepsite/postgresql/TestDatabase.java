package io.deepsite.postgresql;

import io.deepsite.state.LockOwner;
import io.deepsite.state.SiteStores;
import io.deepsite.state.StateFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** A real PostgreSQL: the one whose URL is in {@code DEEPSITE_POSTGRESQL}, or one in a container. */
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
        var given = System.getenv("DEEPSITE_POSTGRESQL");
        return given == null
                ? open(
                        PostgresContainer.started().url(),
                        PostgresContainer.started().environment())
                : open(given, System.getenv());
    }

    private static Database open(String url, Map<String, String> environment) {
        return new Database(DatabaseUrl.parse(url, environment), environment);
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
