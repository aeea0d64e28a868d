package io.deepsite.service.sites;

import static io.deepsite.service.sites.ServiceLab.ALICE;
import static io.deepsite.service.sites.ServiceLab.BIOLOGY;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.ansible.FakeAnsible;
import io.deepsite.operations.ElasticHosts;
import io.deepsite.operations.MemorySites;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A site with elastic machines, and several processes of a service on one PostgreSQL: one of them follows it. */
class ElasticReplicasIT {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private final FreshDatabase database = new FreshDatabase();
    private final MemorySites cloud = new MemorySites();
    private final List<Replica> replicas = new ArrayList<>();
    private String id = "";

    @BeforeEach
    void aSiteIsReady() throws Exception {
        FakeAnsible.PASSING.write(folder.resolve("bin"));
        var first = replica();
        id = first.sites
                .order(
                        ALICE,
                        new SiteService.Order(
                                BIOLOGY,
                                "My cluster",
                                Optional.of("hpc"),
                                ElasticSitesTest.YAML,
                                false,
                                new TreeMap<>(),
                                Optional.empty()),
                        Optional.empty())
                .site()
                .id();
        await(first, view -> view.site().status() == SiteStatus.PLANNED);
        first.sites.confirm(ALICE, id, true, Optional.empty());
        await(first, view -> view.site().status() == SiteStatus.READY);
        hosts().awaitListeners(1);
    }

    @AfterEach
    void close() throws Exception {
        try (var each = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var end : replicas.stream()
                    .map(replica -> each.submit(replica::close))
                    .toList()) {
                end.get();
            }
        }
        database.close();
    }

    private Replica replica() throws Exception {
        var own = Files.createDirectory(folder.resolve("replica-" + replicas.size()));
        var replica = new Replica(own, database, cloud, Quota.NONE, (_, _, _) -> {}).start();
        replicas.add(replica);
        return replica;
    }

    private ElasticHosts hosts() {
        return cloud.hosts(replicas.getLast().sites.site(id).site().name());
    }

    private void await(Replica at, Predicate<SiteService.View> until) throws InterruptedException {
        long seen = 0;
        for (var view = at.sites.site(id); !until.test(view); view = at.sites.site(id)) {
            assertThat(view.site().status())
                    .as(() -> at.sites.site(id).runs().toString())
                    .isNotEqualTo(SiteStatus.FAILED);
            var events = at.feed.next(id, seen, PATIENCE);
            seen = events.isEmpty() ? seen : events.getLast().seq();
        }
    }

    private void awaitElastic(Replica at, String... machines) throws InterruptedException {
        await(at, view -> view.site().elastic().equals(List.of(machines)));
    }

    /** As db-scheduler does with the task of a process whose heartbeat it misses. */
    private static void loseTask(Replica at) {
        var _ = at.tables.in(
                handle -> handle.execute(
                        "UPDATE service.elastic_tasks SET picked = false, picked_by = NULL, version = version + 1, execution_time = now()"));
    }

    private List<String> followers(Replica at) {
        return at.tables.in(handle -> handle.createQuery("SELECT picked_by FROM service.elastic_tasks WHERE picked")
                .mapTo(String.class)
                .list());
    }

    private long made(Replica at) {
        return at.sites.events(id, 0, 500).stream()
                .filter(event -> event.event().contains("\"what\":\"made\""))
                .count();
    }

    @Test
    void oneOfThemMakesTheMachineAndTheOthersDoNot() throws Exception {
        var second = replica();
        replica();

        hosts().say("wanted=node-2 released= failed=");
        awaitElastic(second, "node-2");

        assertThat(followers(second)).hasSize(1);
        assertThat(made(second)).isEqualTo(1);
        hosts().awaitListeners(1);
    }

    @Test
    void anotherOneGoesOnWhenItDies() throws Exception {
        hosts().say("wanted=node-2 released= failed=");
        awaitElastic(replicas.getFirst(), "node-2");
        var second = replica();
        replicas.getFirst().die();
        loseTask(second);

        hosts().say("wanted= released=node-2 failed=");

        awaitElastic(second);
        assertThat(hosts().told()).isEqualTo("gone node-2: ");
        assertThat(cloud.things()).noneMatch(thing -> thing.endsWith("-node-2"));
    }

    /** One that was stopped and wakes does not know that another one follows the site. */
    @Test
    void oneThatLostTheSiteToAnotherEnds() throws Exception {
        loseTask(replicas.getFirst());

        // Either process may follow it next; the former loop ends at its next look, and never makes a machine twice.
        var second = replica();
        hosts().say("wanted=node-2 released= failed=");
        awaitElastic(second, "node-2");

        hosts().awaitListeners(1);
        assertThat(followers(second)).hasSize(1);
        assertThat(made(second)).isEqualTo(1);
    }

    /** The next one begins at once, and not when its heartbeat is missed. */
    @Test
    void anotherOneGoesOnWhenItEnds() throws Exception {
        var second = replica();
        var first = replicas.removeFirst();
        first.close();

        hosts().say("wanted=node-2 released= failed=");
        awaitElastic(second, "node-2");
        assertThat(made(second)).isEqualTo(1);
    }
}
