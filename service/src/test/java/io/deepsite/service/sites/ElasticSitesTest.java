package io.deepsite.service.sites;

import static io.deepsite.service.sites.ServiceLab.ALICE;
import static io.deepsite.service.sites.ServiceLab.BIOLOGY;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.ansible.FakeAnsible;
import io.deepsite.operations.ElasticHosts;
import io.deepsite.service.records.Tables;
import io.deepsite.state.FileStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sites of the service whose controller wants machines, and gives them back. */
class ElasticSitesTest {
    static final String YAML = """
            apiVersion: deepsite/v1
            site: template
            provider: {fake: {}}
            parameters:
              nodes: {type: integer, default: 1, min: 1, max: 16}
            machines:
              head: {image: debian/12, cpus: 1, memory: 1GiB}
              node: {image: debian/12, cpus: 2, memory: 1GiB, count: "${nodes}"}
            clusters:
              hpc: {kind: elastic, most: {node: 8}}
            """;

    @TempDir
    Path folder;

    private ServiceLab lab;

    @BeforeEach
    void open() {
        lab = lab(ServiceLab.FOUR_MACHINES);
    }

    ServiceLab lab(Quota quota) {
        return new ServiceLab(
                folder, quota, Tables.inFolder(folder.resolve("tables")), environment(folder), FileStores::new, true);
    }

    /** With a program in place of ansible-playbook, which changes no host. */
    static Map<String, String> environment(Path folder) {
        try {
            FakeAnsible.PASSING.write(folder.resolve("tools"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.of("PATH", folder.resolve("tools") + ":/usr/bin:/bin");
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private String ready() {
        var id = lab.sites
                .order(
                        ALICE,
                        new SiteService.Order(
                                BIOLOGY,
                                "My cluster",
                                Optional.of("hpc"),
                                YAML,
                                false,
                                new TreeMap<>(),
                                Optional.empty()),
                        Optional.empty())
                .site()
                .id();
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, false, Optional.empty());
        lab.await(id, SiteStatus.READY);
        lab.later(Duration.ZERO);
        return id;
    }

    private ElasticHosts hosts(String id) {
        return lab.cloud.hosts(lab.sites.site(id).site().name());
    }

    private List<String> machines(String id) {
        var name = lab.sites.site(id).site().name();
        return lab.cloud.things().stream()
                .filter(thing -> thing.startsWith("instance/" + name + "-"))
                .map(thing -> thing.substring(("instance/" + name + "-").length()))
                .sorted()
                .toList();
    }

    private SiteRow await(String id, Predicate<SiteRow> until) {
        return lab.await(id, view -> until.test(view.site())).site();
    }

    @Test
    void machinesAreMadeForJobsAndRemovedAfterThem() throws InterruptedException {
        var id = ready();
        assertThat(machines(id)).containsExactly("head", "node-1");

        hosts(id).say("wanted=node-3 released= failed=");
        var grown = await(id, site -> site.elastic().equals(List.of("node-3")));
        assertThat(machines(id)).containsExactly("head", "node-1", "node-3");
        assertThat(grown.status()).isEqualTo(SiteStatus.READY);
        assertThat(grown.amounts().machines()).isEqualTo(3);
        assertThat(grown.amounts().cpus()).isEqualTo(5);

        hosts(id).say("wanted= released=node-3 failed=");
        assertThat(hosts(id).told()).isEqualTo("gone node-3: ");
        assertThat(machines(id)).containsExactly("head", "node-1");
        assertThat(await(id, site -> site.elastic().isEmpty()).amounts().machines())
                .isEqualTo(2);
        assertThat(lab.sites.audit(BIOLOGY, Long.MAX_VALUE, 10))
                .filteredOn(entry -> entry.action().startsWith("elastic"))
                .extracting(entry -> entry.who() + " " + entry.action() + " " + entry.detail())
                .containsExactly("deepsite elastic machines removed node-3", "deepsite elastic machines made node-3");
        assertThat(lab.sites.events(id, 0, 500))
                .extracting(EventRow::event)
                .anyMatch(event -> event.contains("\"text\":\"node-3: made.\""));
    }

    @Test
    void aFullQuotaLeavesTheJobWithTheReason() throws InterruptedException {
        var id = ready();

        hosts(id).say("wanted=node-2,node-3,node-4 released= failed=");
        assertThat(hosts(id).told())
                .isEqualTo(
                        "failed node-4: The quota of the project biology is full. machines: 4 of 4 are used, and this"
                                + " asks for 1.\n");
        assertThat(machines(id)).containsExactly("head", "node-1", "node-2", "node-3");
        assertThat(lab.sites.usage(BIOLOGY))
                .filteredOn(share -> share.name().equals("machines"))
                .extracting(Quota.Share::used)
                .containsExactly(4L);
    }

    @Test
    void aSiteIsResizedWithTheMachinesThatAreThereAndFollowedAgain() throws InterruptedException {
        var id = ready();
        hosts(id).say("wanted=node-3 released= failed=");
        await(id, site -> site.elastic().equals(List.of("node-3")));

        lab.sites.resizing().resize(ALICE, id, Map.of("nodes", "2"), Optional.empty());
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, false, Optional.empty());
        assertThat(lab.await(id, SiteStatus.READY).site().amounts().machines()).isEqualTo(4);
        assertThat(machines(id)).containsExactly("head", "node-1", "node-2", "node-3");

        hosts(id).say("wanted= released=node-3 failed=");
        assertThat(hosts(id).told()).isEqualTo("gone node-3: ");
        assertThat(machines(id)).containsExactly("head", "node-1", "node-2");
    }

    @Test
    void aSiteThatIsDeletedGetsNoMachineMore() throws InterruptedException {
        var id = ready();
        hosts(id).say("wanted=node-2 released= failed=");
        await(id, site -> site.elastic().equals(List.of("node-2")));
        var hosts = hosts(id);

        lab.sites.delete(ALICE, id);
        hosts.say("wanted=node-2,node-3 released= failed=");
        lab.await(id, SiteStatus.DELETED);

        assertThat(lab.cloud.things()).isEmpty();
        hosts.awaitListeners(0);
    }
}
