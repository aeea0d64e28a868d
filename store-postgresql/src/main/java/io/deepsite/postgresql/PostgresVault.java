package io.deepsite.postgresql;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.CrashPoint;
import io.deepsite.state.Vault;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The encrypted secrets of one site, with what was there before. */
final class PostgresVault implements Vault {
    private final Database database;
    private final String site;
    private final PostgresLock lock;
    private @Nullable Seen seen;

    PostgresVault(Database database, String site, PostgresLock lock) {
        this.database = database;
        this.site = site;
        this.lock = lock;
    }

    /**
     * The version that was asked for last, so that the database is not asked for each secret of each host: nobody else
     * writes while this process holds the lock, and without it one look is as good as another.
     */
    private record Seen(long tenure, long version) {}

    @Override
    public String name() {
        return "the vault of " + site + " in " + database.url();
    }

    @Override
    public String site() {
        return site;
    }

    @Override
    public Optional<byte[]> read() {
        return database.in(handle -> handle.createQuery("SELECT content FROM vault WHERE site = :site")
                .bind("site", site)
                .mapTo(byte[].class)
                .findOne());
    }

    @Override
    public synchronized Object version() {
        var tenure = lock.tenure();
        var known = seen;
        if (known == null || known.tenure() != tenure) {
            known = new Seen(
                    tenure,
                    database.in(handle -> handle.createQuery("SELECT version FROM vault WHERE site = :site")
                            .bind("site", site)
                            .mapTo(Long.class)
                            .findOne()
                            .orElse(0L)));
            seen = known;
        }
        return known.version();
    }

    @Override
    public synchronized void replace(byte[] encrypted) {
        CrashPoint.pass("vault.write.before");
        var version = lock.fenced(handle -> handle.createQuery("INSERT INTO vault (site, version, content)"
                        + " VALUES (:site, 1, :content) ON CONFLICT (site) DO UPDATE SET previous = vault.content,"
                        + " content = excluded.content, version = vault.version + 1 RETURNING version")
                .bind("site", site)
                .bind("content", encrypted)
                .mapTo(Long.class)
                .one());
        seen = new Seen(lock.tenure(), version);
        CrashPoint.pass("vault.write.after");
    }

    @Override
    public Failure damaged(String why) {
        return new Failure(Diagnostic.error(
                Code.VAULT_DAMAGED,
                "T" + name().substring(1) + ": " + why,
                "What it held before the last change is in the column \"previous\" of the table vault: put it back."));
    }
}
