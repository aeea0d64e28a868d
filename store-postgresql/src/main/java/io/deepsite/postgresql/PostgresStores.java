package io.deepsite.postgresql;

import io.deepsite.state.Journal;
import io.deepsite.state.JournalEntry;
import io.deepsite.state.LastResults;
import io.deepsite.state.LockOwner;
import io.deepsite.state.Runs;
import io.deepsite.state.SiteLock;
import io.deepsite.state.SiteStores;
import io.deepsite.state.StateStore;
import io.deepsite.state.Vault;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The records of one site in a database. Only what this machine needs while it works is in its state folder. */
public final class PostgresStores implements SiteStores {
    /** How long a lock lasts that its holder does not renew. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    private final Opening site;
    private final Database database;
    private final boolean shared;
    private final PostgresLock lock;
    private final PostgresStateStore state;
    private final PostgresVault vault;

    private PostgresStores(Opening site, Database database, boolean shared) {
        this(site, database, shared, LockOwner.current(site.tool()), LEASE);
    }

    /** @param lease of a lock */
    PostgresStores(Opening site, Database database, LockOwner owner, Duration lease) {
        this(site, database, false, owner, lease);
    }

    private PostgresStores(Opening site, Database database, boolean shared, LockOwner owner, Duration lease) {
        this.site = site;
        this.database = database;
        this.shared = shared;
        this.lock = new PostgresLock(database, site.site(), owner, lease, site.notices());
        this.state = new PostgresStateStore(database, site.site(), lock);
        this.vault = new PostgresVault(database, site.site(), lock);
    }

    public static boolean isUrl(String store) {
        return store.startsWith(DatabaseUrl.SCHEME + "://") || store.startsWith("postgres://");
    }

    /**
     * @param url {@code postgresql://user@host/database}, see {@link DatabaseUrl}
     * @throws io.deepsite.diag.Failure STORE_UNKNOWN
     */
    public static Factory at(String url, Map<String, String> environment) {
        var parsed = DatabaseUrl.parse(url, environment);
        return site -> new PostgresStores(site, new Database(parsed, environment), false);
    }

    /** Opens the records of many sites in one database, which its owner closes. */
    public static Factory in(Database database) {
        return site -> new PostgresStores(site, database, true);
    }

    @Override
    public String place() {
        return database.url().toString();
    }

    @Override
    public StateStore state() {
        return state;
    }

    @Override
    public SiteLock lock() {
        return lock;
    }

    @Override
    public Vault vault() {
        return vault;
    }

    @Override
    public Runs runs() {
        return new PostgresRuns(database, site, lock);
    }

    @Override
    public LastResults lastResults() {
        return new PostgresLastResults(database, site.site());
    }

    @Override
    public Journal journal() {
        return new PostgresJournal(database, site.site(), lock, site.clock());
    }

    @Override
    public List<JournalEntry> openIntents() {
        return Journal.openIntents(PostgresJournal.read(database, site.site()));
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public void forget() {
        delete("journal", "vault", "site_history", "site_state");
    }

    @Override
    public void remove() {
        try (var _ = lock.acquire("remove")) {
            delete("journal", "vault", "site_history", "site_state", "run", "last_result");
        }
        site.folder().delete();
    }

    private void delete(String... tables) {
        lock.write(handle -> List.of(tables)
                .forEach(table -> handle.execute("DELETE FROM " + table + " WHERE site = ?", site.site())));
    }

    @Override
    public void close() {
        if (!shared) {
            database.close();
        }
    }
}
