package io.deepsite.service.sites;

import static io.deepsite.service.sites.ServiceLab.ALICE;
import static io.deepsite.service.sites.ServiceLab.BIOLOGY;

import io.deepsite.diag.FaultMessage;
import io.deepsite.operations.MemorySites;
import io.deepsite.service.catalogue.OwnSiteSettings;
import io.deepsite.service.catalogue.OwnSites;
import io.deepsite.service.http.HttpServer;
import io.deepsite.site.ImageName;
import io.deepsite.site.Size;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the service says no. */
class RefusalsTest {
    @TempDir
    Path folder;

    private ServiceLab lab;

    @BeforeEach
    void open() {
        lab = new ServiceLab(folder, ServiceLab.FOUR_MACHINES);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private static SiteService.Order order(String yaml, String title) {
        return new SiteService.Order(BIOLOGY, title, Optional.empty(), yaml, false, new TreeMap<>(), Optional.empty());
    }

    @Test
    void ofASiteWhoseNameIsNotOnALineOfItsOwn() {
        var yaml = ServiceLab.YAML.replace("site: template", "\"site\": template");

        FaultMessage.assertReads(
                "service/DS8101-name-of-the-site", () -> lab.sites.order(ALICE, order(yaml, "mine"), Optional.empty()));
    }

    @Test
    void ofASiteThatIsNotThere() {
        FaultMessage.assertReads("service/DS8104-no-such-site", () -> lab.sites.site("nothing"));
    }

    @Test
    void ofASiteThatDoesNotFit() {
        lab.await(lab.confirmed(3), SiteStatus.READY);
        var second = lab.order(2).site().id();
        lab.await(second, SiteStatus.PLANNED);

        FaultMessage.assertReads(
                "service/DS8105-quota", () -> lab.sites.confirm(ALICE, second, false, Optional.empty()));
    }

    @Test
    void ofWhatCannotBeDoneNow() {
        var id = lab.order(1).site().id();
        lab.await(id, SiteStatus.PLANNED);

        FaultMessage.assertReads("service/DS8106-retry", () -> lab.sites.retry(ALICE, id));
    }

    @Test
    void ofADecisionOnAnOldVersion() {
        var id = lab.order(1).site().id();
        lab.await(id, SiteStatus.PLANNED);

        FaultMessage.assertReads(
                "service/DS8107-old-version", () -> lab.sites.confirm(ALICE, id, false, Optional.of(1L)));
    }

    @Test
    void ofAKeyThatBelongsToAnotherOrder() {
        lab.sites.order(ALICE, order(ServiceLab.YAML, "one"), Optional.of("key"));

        FaultMessage.assertReads(
                "service/DS8108-another-order",
                () -> lab.sites.order(ALICE, order(ServiceLab.YAML, "another"), Optional.of("key")));
    }

    @Test
    void ofAKeyThatOnlyTheAdministratorSets() throws IOException {
        Files.writeString(folder.resolve("own.yaml"), "provider: {fake: {}}\n");
        var settings =
                new OwnSiteSettings("managers", "own.yaml", List.of(ImageName.parse("debian/12")), Size.parse("20GiB"));
        var own = new OwnSites(
                Map.of(BIOLOGY, settings), folder, MemorySites.kinds().loader());

        FaultMessage.assertReads("service/DS8111-file-of-the-server", () -> own.complete(BIOLOGY, """
                apiVersion: deepsite/v1
                site: mine
                ssh: {key: /etc/deepsite/key}
                machines: {node: {image: debian/12}}
                """, Map.of()));
        FaultMessage.assertReads("service/DS8111-the-provider", () -> own.complete(BIOLOGY, """
                apiVersion: deepsite/v1
                site: mine
                provider: {fake: {}}
                machines: {node: {image: debian/12}}
                """, Map.of()));
    }

    @Test
    void ofAnAddressThatAnotherProgramHas() {
        try (var first = new HttpServer(new InetSocketAddress("127.0.0.1", 0), Optional.empty())) {
            var port = String.valueOf(first.port());

            FaultMessage.assertReads(
                    "service/DS8110-address-in-use",
                    () -> new HttpServer(new InetSocketAddress("127.0.0.1", first.port()), Optional.empty()).close(),
                    text -> text.replace(port, "PORT"));
        }
    }
}
