package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.TestSites;
import io.deepsite.diag.Failure;
import io.deepsite.site.ChangeImpact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainTest {

    @Test
    void showsTypeDefaultAndCostOfAKey() {
        var memory = Explain.of(TestSites.ALL.model(), "machines.memory");

        assertThat(memory.path()).isEqualTo("machines.<name>.memory");
        assertThat(memory.type()).isEqualTo("size in KiB, MiB, GiB or TiB");
        assertThat(memory.defaultValue()).contains("1GiB");
        assertThat(memory.example()).contains("2GiB");
        assertThat(memory.required()).isFalse();
        assertThat(memory.impact()).isEqualTo(ChangeImpact.FILE);
    }

    @Test
    void takesThePathWithOrWithoutNames() {
        assertThat(Explain.of(TestSites.ALL.model(), "machines.node.gpus[0].model"))
                .isEqualTo(Explain.of(TestSites.ALL.model(), "machines.gpus.model"));
        assertThat(Explain.of(TestSites.ALL.model(), "clusters.hpc.partitions.long.maxTime"))
                .isEqualTo(Explain.of(TestSites.ALL.model(), "clusters.slurm.partitions.maxTime"))
                .isEqualTo(Explain.of(TestSites.ALL.model(), "clusters.partitions.maxTime"));
    }

    @Test
    void listsTheKeysBelow() {
        assertThat(Explain.of(TestSites.ALL.model(), "").children())
                .extracting(Explain.Child::key)
                .contains("apiVersion", "site", "provider", "machines", "clusters", "users");
        assertThat(Explain.of(TestSites.ALL.model(), "machines").children())
                .extracting(Explain.Child::key)
                .containsExactly("image", "count", "cpus", "memory", "disk", "gpus", "driver", "passthrough", "nova");
        assertThat(Explain.of(TestSites.ALL.model(), "machines.gpus").children())
                .extracting(Explain.Child::key)
                .contains("vendor", "model");
        assertThat(Explain.of(TestSites.ALL.model(), "provider").children())
                .extracting(Explain.Child::key)
                .contains("lxd", "static");
        assertThat(Explain.of(TestSites.ALL.model(), "provider.lxd.pool").children())
                .extracting(Explain.Child::key)
                .contains("driver");
        assertThat(Explain.of(TestSites.ALL.model(), "clusters.slurm").children())
                .extracting(Explain.Child::key)
                .contains("kind", "controller");
    }

    /** Six kinds side by side are read by no one. */
    @Test
    void ofAClusterWithoutAKindItNamesTheKinds() {
        for (var path : List.of("clusters", "clusters.hpc")) {
            var clusters = Explain.of(TestSites.ALL.model(), path);

            assertThat(clusters.children()).isEmpty();
            assertThat(clusters.ask())
                    .contains("clusters.slurm", "clusters.lxd-host")
                    .hasSameSizeAs(TestSites.ALL.model().kinds());
            assertThat(clusters.text())
                    .contains("\n    deepsite explain clusters.slurm\n")
                    .doesNotContain("below it");
        }
    }

    @Test
    void ofAKeyOfSeveralKindsItNamesThose() {
        var gpu = Explain.of(TestSites.ALL.model(), "clusters.hpc.gpu");

        assertThat(gpu.ask()).containsExactlyInAnyOrder("clusters.kubernetes.gpu", "clusters.mesos.gpu");
        assertThat(gpu.children()).isEmpty();
        assertThat(Explain.of(TestSites.ALL.model(), "clusters.mesos.gpu").children())
                .extracting(Explain.Child::key)
                .contains("offer")
                .doesNotContain("mps");
    }

    @Test
    void aKeyOfAnotherKindIsNone() {
        assertThatThrownBy(
                        () -> Explain.of(TestSites.ALL.model(), "clusters.jobs.controlPlane", Map.of("jobs", "slurm")))
                .isInstanceOf(Failure.class)
                .satisfies(
                        e -> assertThat(((Failure) e).diagnostics().getFirst().why())
                                .isEqualTo("\"controlPlane\" is not a key of clusters.slurm."));
    }

    @Test
    void listsTheKeysOfAKindOfCluster() {
        assertThat(Explain.of(TestSites.ALL.model(), "clusters.slurm").text())
                .contains("A cluster of kind slurm.")
                .contains("\n  below it (* required):\n  * kind ")
                .doesNotContain("controlPlane");
    }

    @Test
    void takesTheKindOfAClusterOfTheFile(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("site.yaml"), """
                clusters:
                  jobs: {kind: slurm, controler: head}
                  web: {kind: kubernetes}
                  half:
                """);

        var kinds = NamedKinds.of(file);

        assertThat(kinds).isEqualTo(Map.of("jobs", "slurm", "web", "kubernetes"));
        assertThat(Explain.of(TestSites.ALL.model(), "clusters.web.install", kinds))
                .isEqualTo(Explain.of(TestSites.ALL.model(), "clusters.kubernetes.install"));
        assertThat(Explain.of(TestSites.ALL.model(), "clusters.jobs", kinds).about())
                .isEqualTo("A cluster of kind slurm.");
        assertThat(NamedKinds.of(folder.resolve("nosuch.yaml"))).isEmpty();
    }

    @Test
    void saysWhatIsNotEnforced() {
        assertThat(Explain.of(TestSites.ALL.model(), "machines.gpus.mig").enforced())
                .isFalse();
        assertThat(Explain.of(TestSites.ALL.model(), "machines.gpus.mig").text())
                .contains("does not enforce it");
    }

    @Test
    void suggestsTheNearestKey() {
        assertThatThrownBy(() -> Explain.of(TestSites.ALL.model(), "machines.gpsu"))
                .isInstanceOf(Failure.class)
                .satisfies(e ->
                        assertThat(((Failure) e).diagnostics().getFirst().fix()).isEqualTo("Did you mean \"gpus\"?"));
        assertThatThrownBy(() -> Explain.of(TestSites.ALL.model(), "machnes.gpus"))
                .isInstanceOf(Failure.class)
                .satisfies(
                        e -> assertThat(((Failure) e).diagnostics().getFirst().fix())
                                .isEqualTo("Did you mean \"machines\"?"));
        assertThatThrownBy(() -> Explain.of(TestSites.ALL.model(), "site.colour"))
                .isInstanceOf(Failure.class);
    }

    @Test
    void explainsEveryPathItLists() {
        assertThat(Explain.paths(TestSites.ALL.model()))
                .contains("machines.<name>.gpus.model")
                .allSatisfy(path -> assertThat(
                                Explain.of(TestSites.ALL.model(), path).text())
                        .isNotEmpty());
    }

    @Test
    void printsOneKeyForATerminal() {
        assertThat(Explain.of(TestSites.ALL.model(), "provider.lxd.pool.driver").text())
                .isEqualTo("""
                provider.lxd.pool.driver
                  Storage driver. The driver dir is left out: it copies the whole image for every machine and cannot keep disk limits.

                  type      btrfs, zfs, lvm or ceph
                  default   btrfs
                  a change  the machine is replaced; its own disk is lost
                  excludes  size if driver is ceph, device if driver is ceph, source if driver is btrfs
                """);
    }
}
