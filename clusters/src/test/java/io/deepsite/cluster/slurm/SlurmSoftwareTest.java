package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.OneRole;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Item;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a Slurm cluster's users find on its machines. */
class SlurmSoftwareTest {
    private static final Name NODE = new Name("node");

    @Test
    void daemonsStartAfterWhatTheyLoad() {
        var stages = TestSites.stages(SlurmSite.SOFTWARE, SlurmSite.machines(2, true));

        assertThat(stage(stages, "slurm_controller").needs()).contains("hpc.slurm_software");
        assertThat(stage(stages, "slurm_node").needs()).contains("hpc.slurm_controller");
        assertThat(stage(stages, "slurm_software").hosts()).containsExactly("head", "node-1", "node-2");
        assertThat(stage(stages, "user_containers").hosts()).containsExactly("head", "node-1", "node-2");
    }

    @Test
    void aClusterWithoutSoftwareHasNoRoleAndNoProofOfIt() {
        var machines = SlurmSite.machines(2, true);

        assertThat(TestSites.stages(SlurmSite.SITE, machines))
                .extracting(Stage::role)
                .doesNotContain("slurm_software", "user_containers");
        assertThat(TestSites.acceptance(SlurmSite.SITE, machines)).hasSize(1);
        assertThat(TestSites.acceptance(SlurmSite.SOFTWARE, machines))
                .extracting(Acceptance::template)
                .containsExactly("slurm/verify.sh.j2", "slurm/verify-software.sh.j2");
    }

    @Test
    void ranksReachEachOtherAtAnyPort() {
        var kind = new SlurmKind();
        var cluster =
                (Slurm) Objects.requireNonNull(SlurmSite.SOFTWARE.clusters().get(new Name("hpc")));
        var asked = kind.requirements(SlurmSite.SOFTWARE, new Name("hpc"), cluster);

        assertThat(asked.flows()).contains(new Flow(NODE, NODE, "tcp", "1024-65535"));
        assertThat(asked.of(NODE).nesting()).isTrue();
    }

    @Test
    void jobsGetPmixAndTheLimitsOfTheirNode() {
        var plain = conf(SlurmSite.SITE);

        assertThat(conf(SlurmSite.SOFTWARE)).contains("MpiDefault=pmix\n", "PropagateResourceLimitsExcept=MEMLOCK\n");
        assertThat(plain).contains("MpiDefault=none\n").doesNotContain("PropagateResourceLimitsExcept");
    }

    @Test
    void whatComesByChecksumIsListed() {
        assertThat(files("user_containers").get("/etc/deepsite/user-containers"))
                .isEqualTo("""
                udocker 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 udocker/maincmd.py /srv/udocker-1.3.16.tar.gz
                apptainer 0a00f0b0516cd51dc22b8b0b2b1f4bf3a51ad05caaef2a9d567c488180d68f9f - https://files.example.org/apptainer_1.5.3_amd64.deb
                """);
    }

    @Test
    void imagesOfUsersAreOnTheDiskInAFolderOfTheirOwn() {
        var contract = OneRole.of(SlurmSite.SOFTWARE, SlurmSite.machines(2, true), "user_containers", "node-1")
                .contract();

        assertThat(contract.items())
                .extracting(Item::id)
                .contains(
                        "directory:/var/lib/user-containers/alice",
                        "directory:/var/lib/user-containers/deepsite-verify");
        assertThat(files("user_containers").get("/etc/containers/storage.conf"))
                .contains("rootless_storage_path = \"/var/lib/user-containers/$USER/podman\"\n");
    }

    @Test
    void mpiUsesTheGivenPorts() {
        assertThat(files("slurm_software").get("/etc/profile.d/deepsite-infiniband.sh"))
                .endsWith("export OMPI_MCA_pml=ucx OMPI_MCA_osc=ucx\nexport UCX_NET_DEVICES=mlx5_0:1\n");
    }

    private static Stage stage(List<Stage> stages, String role) {
        return stages.stream()
                .filter(stage -> stage.role().equals(role))
                .findFirst()
                .orElseThrow();
    }

    private static String conf(Site site) {
        return Objects.requireNonNull(bodies(site, "slurm_controller", "head").get("/etc/slurm/slurm.conf"));
    }

    private static Map<String, String> files(String role) {
        return bodies(SlurmSite.SOFTWARE, role, "node-1");
    }

    private static Map<String, String> bodies(Site site, String role, String host) {
        var rendered = OneRole.of(site, SlurmSite.machines(2, true), role, host);
        var files = new TreeMap<String, String>();
        rendered.contract().items().stream()
                .filter(Item.File.class::isInstance)
                .map(Item.File.class::cast)
                .forEach(file -> files.put(file.path(), rendered.texts().get(file.body())));
        return files;
    }
}
