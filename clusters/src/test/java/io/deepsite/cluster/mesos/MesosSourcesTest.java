package io.deepsite.cluster.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.OneRole;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Item;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Mesos, Marathon and Chronos from packages and from images; all rendered files. */
class MesosSourcesTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/mesos");
    private static final String UNITS = "/etc/systemd/system/";

    @Test
    void unitsOfContainers() throws IOException {
        var site = fromImages();
        var master = MesosFiles.on(site, MesosSite.machines(3), "master-1");
        var agent = MesosFiles.on(site, MesosSite.machines(3), "agent-1");

        Golden.assertSame(
                GOLDEN.resolve("images.txt"),
                shown(
                                master,
                                UNITS + "mesos-master.service",
                                "/etc/mesos/master.env",
                                UNITS + "marathon.service",
                                "/etc/mesos/marathon.env",
                                UNITS + "chronos.service",
                                "/etc/mesos/chronos.env")
                        + shown(agent, UNITS + "mesos-agent.service", "/etc/mesos/agent.env"));
    }

    @Test
    void unitsOfPackages() throws IOException {
        var site = fromPackages();
        var master = MesosFiles.on(site, MesosSite.machines(3), "master-1");
        var agent = MesosFiles.on(site, MesosSite.machines(3), "gpu-1");

        Golden.assertSame(
                GOLDEN.resolve("packages.txt"),
                shown(
                                master,
                                "/etc/apt/preferences.d/deepsite-mesos",
                                UNITS + "mesos-master.service",
                                "/etc/mesos/master.env",
                                UNITS + "marathon.service",
                                "/etc/mesos/marathon.env",
                                "/etc/mesos/chronos.env")
                        + shown(agent, UNITS + "mesos-agent.service", "/etc/mesos/agent.env"));
    }

    @Test
    void packagesAreHeldAndTheirOwnServicesOff() {
        assertThat(items(fromPackages(), "agent-1"))
                .extracting(Item::id)
                .containsExactlyInAnyOrder(
                        "file:/etc/apt/keyrings/deepsite-mesos.asc",
                        "file:/etc/apt/preferences.d/deepsite-mesos",
                        "repository:deepsite-mesos",
                        "package:mesos",
                        "service:mesos-slave.service",
                        "service:mesos-master.service");
        assertThat(items(fromPackages(), "master-1"))
                .extracting(Item::id)
                .contains("package:marathon", "service:mesos-slave.service")
                .doesNotContain("service:mesos-master.service");
        assertThat(items(fromPackages(), "master-1"))
                .filteredOn(Item.DebianPackage.class::isInstance)
                .allSatisfy(
                        item -> assertThat(((Item.DebianPackage) item).held()).isTrue());
    }

    @Test
    void imagesArePulledByDigest() {
        var stage = software(fromImages());

        assertThat(stage.variables().get("master-1"))
                .containsEntry("mesos_software_images", List.of(image("mesos"), image("marathon"), image("chronos")));
        assertThat(stage.variables().get("agent-1")).containsEntry("mesos_software_images", List.of(image("mesos")));
        assertThat(TestSites.requirements(fromImages()).of(new Name("master")).nesting())
                .as("machines of LXD in which Docker runs")
                .isTrue();
    }

    /**
     * As in the projects that used it: masters in containers; agents from packages, since their tasks run on the host.
     */
    @Test
    void besideAnImageAgentsRunOnTheirHosts() {
        var site = MesosSite.site(
                3,
                "agent, gpu",
                MesosSite.PACKAGES + ", image: \"" + image("mesos") + "\"",
                "marathon: {image: \"" + image("marathon") + "\"}\n");
        var agent = MesosFiles.on(site, MesosSite.machines(3), "gpu-1");

        assertThat(agent.get(UNITS + "mesos-agent.service"))
                .contains("ExecStart=/usr/local/sbin/deepsite-mesos-agent start\n");
        assertThat(agent.get("/usr/local/sbin/deepsite-mesos-agent")).contains("PROGRAM = \"/usr/sbin/mesos-agent\"\n");
        assertThat(agent.get("/etc/mesos/agent.env")).contains("gpu/nvidia");
        assertThat(MesosFiles.on(site, MesosSite.machines(3), "master-1").get(UNITS + "mesos-master.service"))
                .contains("--entrypoint mesos-master " + image("mesos"));
        assertThat(software(site).variables().get("gpu-1")).containsEntry("mesos_software_images", List.of());
    }

    static Site fromImages() {
        return MesosSite.site(
                3, "agent", "image: \"" + image("mesos") + "\"", """
                marathon: {image: "%s"}
                chronos: {image: "%s"}
                """.formatted(image("marathon"), image("chronos")));
    }

    static Site fromPackages() {
        return MesosSite.site(
                3,
                "agent, gpu",
                MesosSite.PACKAGES,
                MesosSite.FRAMEWORKS.replaceFirst("marathon: .*", "marathon: {version: 1.11.24-1.0.1}"));
    }

    static Site withChronosInAContainer() {
        return MesosSite.site(
                3, MesosSite.FRAMEWORKS.replaceFirst("chronos: .*", "chronos: {image: \"" + image("chronos") + "\"}"));
    }

    private static String image(String name) {
        return MesosSite.IMAGE.formatted(name);
    }

    private static Stage software(Site site) {
        return TestSites.stages(site, MesosSite.machines(3)).stream()
                .filter(stage -> stage.role().equals("mesos_software"))
                .findFirst()
                .orElseThrow();
    }

    private static List<Item> items(Site site, String host) {
        return OneRole.of(site, MesosSite.machines(3), "mesos_software", host)
                .contract()
                .items();
    }

    private static String shown(Map<String, String> files, String... paths) {
        var text = new StringBuilder();
        for (var path : paths) {
            text.append("== ").append(path).append('\n').append(files.get(path)).append('\n');
        }
        return text.toString();
    }
}
