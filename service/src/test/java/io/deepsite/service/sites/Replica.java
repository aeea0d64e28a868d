package io.deepsite.service.sites;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.operations.MemorySites;
import io.deepsite.operations.RuntimeContext;
import io.deepsite.operations.SiteContext;
import io.deepsite.postgresql.Database;
import io.deepsite.postgresql.PostgresStores;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.service.records.Tables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * One process of a service on PostgreSQL, within the process of the tests. When it dies, its connections are cut, and its
 * calls of the cloud fail, from one moment on. Its threads still run, but reach nothing that others see, except machines
 * over SSH; that a process ends with all it has is for the lane service-replicas, which kills real ones.
 */
final class Replica implements AutoCloseable {
    /** Is called before each call of the cloud. */
    interface Watcher {
        void before(Replica replica, String site, String call);
    }

    /** Runs at once. */
    static final int WORKERS = 4;

    static final int HOSTS_PER_PROCESS = 4;

    final Tables tables;
    final SiteService sites;
    final EventFeed feed;
    final SiteWork work;
    final RuntimeContext runtime;
    private final Database database;
    private final MemorySites cloud;
    private final Watcher watcher;
    private final Worker worker;
    private volatile boolean dead;

    Replica(Path folder, FreshDatabase shared, MemorySites cloud, Quota quota, Watcher watcher) {
        this.cloud = cloud;
        this.watcher = watcher;
        database = shared.open();
        tables = Tables.in(database);
        var kinds = MemorySites.kinds();
        runtime = new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                Map.of(
                        "DEEPSITE_VAULT_KEY_FILE",
                        vaultKey(folder.getParent()),
                        "PATH",
                        folder.getParent().resolve("bin") + ":/usr/bin:/bin"),
                folder,
                folder.resolve("root"),
                InstantSource.system(),
                SshTimes.USUAL,
                kinds,
                PostgresStores.in(database),
                _ -> {});
        work = new SiteWork(folder.resolve("sites"), runtime, this::open);
        var quotas = Map.of(ServiceLab.BIOLOGY, quota);
        worker = new Worker(
                tables,
                work,
                kinds.loader(),
                quotas,
                InstantSource.system(),
                new Worker.Sharing(WORKERS, HOSTS_PER_PROCESS, false),
                ServiceLab.QUICK);
        sites = new SiteService(tables, kinds.loader(), quotas, InstantSource.system(), worker::wake);
        feed = new EventFeed(tables, sites);
    }

    Replica start() {
        worker.start();
        return this;
    }

    /** Written once: other replicas may be reading it. */
    static synchronized String vaultKey(Path folder) {
        try {
            var file = folder.resolve("vault.key");
            if (!Files.exists(file)) {
                Files.writeString(file, "only of this test");
            }
            return file.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SiteContext open(Path file, Map<String, String> set, RuntimeContext runtime) {
        requireAlive();
        var site = file.getParent().getFileName().toString();
        return cloud.open(file, set, runtime, call -> {
            requireAlive();
            watcher.before(this, site, call);
        });
    }

    void requireAlive() {
        if (dead) {
            throw new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "This process is no more.", ""));
        }
    }

    boolean isDead() {
        return dead;
    }

    void die() {
        dead = true;
        database.close();
    }

    @Override
    public void close() {
        feed.close();
        worker.close();
        database.close();
    }
}
