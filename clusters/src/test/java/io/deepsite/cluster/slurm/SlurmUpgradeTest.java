package io.deepsite.cluster.slurm;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.PlanReview;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the key {@code version} adds, and which plans it refuses. */
class SlurmUpgradeTest {
    private static final List<Machine> MACHINES = SlurmSite.machines(3, true);

    /** @param printed by the probe, by host */
    private record Found(Set<String> made, Set<String> replaced, SortedMap<String, String> printed)
            implements PlanReview {
        static Found installed(String... hostsAndReleases) {
            var printed = new TreeMap<String, String>();
            for (int i = 0; i < hostsAndReleases.length; i += 2) {
                printed.put(hostsAndReleases[i], hostsAndReleases[i + 1]);
            }
            return new Found(Set.of(), Set.of(), printed);
        }

        @Override
        public List<Machine> machines() {
            return MACHINES;
        }

        @Override
        public SortedMap<String, String> printed(String probe) {
            return probe.equals("other-releases-of-slurm") ? printed : new TreeMap<>();
        }

        @Override
        public Where where(String path) {
            return new Where("site.yaml", 12, 14, 7, path, "    version: \"" + "24.11\"");
        }
    }

    @Test
    void withoutTheKeyNothingOfItIsThere() {
        assertThat(TestSites.stages(SlurmSite.SITE, MACHINES))
                .extracting(Stage::role)
                .doesNotContain("slurm_release");
        assertThat(review(SlurmSite.SITE, Found.installed("head", "20.11"))).isEmpty();
    }

    /** SchedMD's order: slurmdbd, slurmctld, slurmd; a role that installs one of them comes after its release is set. */
    @Test
    void theControllerComesFirstThenNodesInTurns() {
        var stages = TestSites.stages(version("22.05"), SlurmSite.machines(25, true));
        var controller = stage(stages, "hpc.slurm_release");
        var nodes = stage(stages, "hpc.slurm_release_of_nodes");

        assertThat(controller.variables().get("head"))
                .containsEntry("slurm_release_daemons", List.of("slurmdbd", "slurmctld"));
        assertThat(stage(stages, "hpc.slurm_accounting").needs()).contains("hpc.slurm_release");
        assertThat(stage(stages, "hpc.slurm_controller").needs()).contains("hpc.slurm_release");
        assertThat(nodes.needs()).contains("hpc.slurm_controller", "hpc.slurm_release");
        assertThat(nodes.hosts()).hasSize(25);
        assertThat(nodes.batch()).isEqualTo(3);
        assertThat(nodes.variables().get("node-1")).containsEntry("slurm_release_daemons", List.of("slurmd"));
        assertThat(stage(stages, "hpc.slurm_node").needs()).contains("hpc.slurm_release_of_nodes");
    }

    /** In a plan that changes nothing of the controller's role, whoever waits for that one waits for nobody. */
    @Test
    void whateverComesAfterTheControllerAlsoComesAfterItsUpgrade() {
        var site = SlurmSite.site(
                "debian/12", "version: \"22.05\"\n    monitoring: {}\n    glue2: {domain: LAB}\n    rest: {}");

        assertThat(TestSites.stages(site, MACHINES))
                .filteredOn(stage -> stage.needs().contains("hpc.slurm_controller"))
                .hasSizeGreaterThan(3)
                .allSatisfy(stage -> assertThat(stage.needs()).contains("hpc.slurm_release"));
    }

    /** Slurm 22.05 was the first to open its database as the user slurm, whom alone it knows. */
    @Test
    void slurmdbdOfOlderReleasesIsThatUserFromTheStart() {
        var unit = "/etc/systemd/system/slurmdbd.service.d/deepsite.release.conf";

        assertThat(SlurmContractsTest.files(version("21.08"), MACHINES, "head").get(unit))
                .endsWith("User=slurm\nGroup=slurm\n");
        assertThat(SlurmContractsTest.files(version("22.05"), MACHINES, "head").get(unit))
                .endsWith("TimeoutStartSec=infinity\n");
        assertThat(SlurmContractsTest.files(version("24.11"), MACHINES, "head").get(unit))
                .endsWith("TimeoutStartSec=infinity\n");
    }

    @Test
    void slurmdGetsNoOptionThatItDoesNotKnow() {
        var unit = "/etc/systemd/system/slurmd.service.d/deepsite.conf";

        assertThat(SlurmContractsTest.files(version("20.11"), MACHINES, "node-1")
                        .get(unit))
                .contains("ExecStart=/usr/sbin/slurmd -D --conf-server ");
        assertThat(SlurmContractsTest.files(version("21.08"), MACHINES, "node-1")
                        .get(unit))
                .contains("ExecStart=/usr/sbin/slurmd -D -s --conf-server ");
    }

    @Test
    void aJumpThatSlurmTakesIsPlanned() {
        assertThat(review(version("22.05"), Found.installed("head", "20.11", "node-1", "21.08", "node-2", "")))
                .isEmpty();
    }

    @Test
    void aJumpOverReleasesIsRefusedWithTheWay() {
        reads(
                "slurm/DS1421-debian-12-to-debian-13",
                version("24.11"),
                Found.installed("head", "22.05", "node-1", "22.05", "node-2", "22.05", "node-3", "22.05"));
    }

    @Test
    void hostsThatDifferAreToldApart() {
        reads(
                "slurm/DS1421-two-releases",
                version("24.11"),
                Found.installed("head", "23.11", "node-1", "20.11", "node-2", "22.05"));
    }

    @Test
    void thereIsNoWayBack() {
        reads("slurm/DS1422-no-way-back", version("22.05"), Found.installed("head", "24.11"));
    }

    /** One after those that this deepsite knows. */
    @Test
    void anUnknownReleaseIsANewerOne() {
        reads("slurm/DS1422-unknown", version("26.11"), Found.installed("node-1", "31.05"));
    }

    @Test
    void anImageWithAnotherReleaseIsRefused() {
        reads("slurm/DS1423-debian-12", version("24.11"), new Found(Set.of("node-3"), Set.of(), new TreeMap<>()));
    }

    @Test
    void anotherImageOfTheControllerIsToldToLoseTheQueue() {
        var found = new Found(Set.of("head", "node-1"), Set.of("head", "node-1"), new TreeMap<>());

        var told = review(SlurmSite.SITE, found);

        assertThat(told).extracting(Diagnostic::code).containsExactly(Code.QUEUE_LOST);
        assertThat(told).noneMatch(Diagnostic::isError);
        Golden.assertSame(
                Path.of("src/test/resources/golden/faults/slurm/DS1424-another-image/stderr.txt"),
                DiagnosticPrinter.print(told.getFirst()));
    }

    private static Site version(String release) {
        return SlurmSite.site("debian/12", "version: \"" + release + "\"");
    }

    private static List<Diagnostic> review(Site site, PlanReview plan) {
        return TestSites.cluster(site, new Name("hpc")).review(plan);
    }

    private static void reads(String name, Site site, PlanReview plan) {
        var found = review(site, plan);
        assertThat(found).allMatch(Diagnostic::isError);
        assertReads(name, () -> {
            throw new Failure(found);
        });
    }

    private static Stage stage(List<Stage> stages, String name) {
        return stages.stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
