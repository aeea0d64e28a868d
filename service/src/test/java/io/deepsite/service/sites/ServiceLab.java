package io.deepsite.service.sites;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.operations.ElasticPauses;
import io.deepsite.operations.MemorySites;
import io.deepsite.operations.RuntimeContext;
import io.deepsite.postgresql.Database;
import io.deepsite.postgresql.PostgresStores;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.service.records.Tables;
import io.deepsite.site.Name;
import io.deepsite.state.FileStores;
import io.deepsite.state.SiteStores;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** The service without HTTP: tables and work of one process, on a cloud in memory, at a time that the test sets. */
public final class ServiceLab implements AutoCloseable {
    public static final Name BIOLOGY = Name.parse("biology");
    public static final Caller ALICE = new Caller("alice@idp", "Alice", "192.0.2.1");
    public static final Quota FOUR_MACHINES = new Quota(
            Optional.empty(), Optional.of(4), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    static final ElasticPauses QUICK =
            new ElasticPauses(Duration.ofMillis(1), Duration.ofMillis(50), Duration.ofMillis(10));
    public static final String YAML = """
            apiVersion: deepsite/v1
            site: template
            provider: {fake: {}}
            lease: {duration: "${time}", max: 8h}
            parameters:
              nodes: {type: integer, default: 1, min: 1, max: 16}
              time: {type: time, default: 2h, max: 8h}
            machines:
              node: {image: debian/12, cpus: 2, memory: 1GiB, count: "${nodes}"}
            """;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    public final MemorySites cloud = new MemorySites();
    public final SiteService sites;
    public final EventFeed feed;
    public final Tables tables;
    public final SiteWork work;
    private final Worker worker;
    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.now().truncatedTo(ChronoUnit.MILLIS));

    public ServiceLab(Path folder, Quota quota) {
        this(folder, quota, Tables.inFolder(folder.resolve("tables")), Map.of(), FileStores::new, true);
    }

    /** One of several processes, with tables of the service and records of its sites in PostgreSQL. */
    public static ServiceLab onPostgres(Path folder, Quota quota, Database database) {
        return new ServiceLab(
                folder,
                quota,
                Tables.in(database),
                Map.of("DEEPSITE_VAULT_KEY_FILE", Replica.vaultKey(folder)),
                PostgresStores.in(database),
                false);
    }

    /** @param alone whether no other process uses these tables */
    ServiceLab(
            Path folder,
            Quota quota,
            Tables tables,
            Map<String, String> environment,
            SiteStores.Factory stores,
            boolean alone) {
        this.tables = tables;
        InstantSource clock = now::get;
        var kinds = MemorySites.kinds();
        var runtime = new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                environment,
                folder,
                folder.resolve("root"),
                clock,
                SshTimes.USUAL,
                kinds,
                stores,
                _ -> {});
        work = new SiteWork(folder.resolve("sites"), runtime, cloud::open);
        worker = new Worker(
                tables, work, kinds.loader(), Map.of(BIOLOGY, quota), clock, new Worker.Sharing(4, 25, alone), QUICK);
        sites = new SiteService(tables, kinds.loader(), Map.of(BIOLOGY, quota), clock, worker::wake);
        feed = new EventFeed(tables, sites);
        worker.start();
    }

    public InstantSource clock() {
        return now::get;
    }

    public void later(Duration time) {
        now.updateAndGet(at -> at.plus(time));
        worker.wake();
    }

    SiteService.View order(int nodes) {
        return order(Map.of("nodes", String.valueOf(nodes)), Optional.empty());
    }

    SiteService.View order(Map<String, String> parameters, Optional<Instant> startsAt) {
        return sites.order(
                ALICE,
                new SiteService.Order(
                        BIOLOGY, "My cluster", Optional.of("hpc"), YAML, false, new TreeMap<>(parameters), startsAt),
                Optional.empty());
    }

    /** Ordered, planned and confirmed. */
    String confirmed(int nodes) {
        var id = order(nodes).site().id();
        await(id, SiteStatus.PLANNED);
        sites.confirm(ALICE, id, true, Optional.empty());
        return id;
    }

    /** Follows its events until it is there; it fails if the site fails instead. */
    public SiteService.View await(String id, SiteStatus status) {
        return await(id, view -> {
            if (view.site().status() == status) {
                return true;
            }
            assertThat(view.site().status())
                    .as(() -> view.runs().toString())
                    .isNotIn(SiteStatus.FAILED, SiteStatus.DELETED);
            return false;
        });
    }

    /** Looks at it after each of its events. */
    SiteService.View await(String id, Predicate<SiteService.View> until) {
        long seen = 0;
        while (true) {
            var view = sites.site(id);
            if (until.test(view)) {
                return view;
            }
            try {
                var events = feed.next(id, seen, PATIENCE);
                assertThat(events)
                        .as("events of a site that is " + view.site().status())
                        .isNotEmpty();
                seen = events.getLast().seq();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        feed.close();
        worker.close();
        tables.close();
    }
}
