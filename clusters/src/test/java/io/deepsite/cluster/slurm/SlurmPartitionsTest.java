package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.OneRole;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Whose jobs partitions take, and the QOS that limit them. */
class SlurmPartitionsTest {
    private static final List<Machine> MACHINES = SlurmSite.machines(2, true);
    private static final String TREE = """
            accounts:
              science: {qos: [normal, urgent]}
              physics: {parent: science, users: [ann]}
              arts: {users: [bob]}
            qos: {short: {perUser: {cpus: 2}}, urgent: {perJob: {time: 1h}}}
            partitions:
              batch: {default: true, denyQos: [urgent]}
              short: {qos: short}
              lab: {allowAccounts: [science], allowQos: [normal]}
              rest: {denyAccounts: [science]}
            """;

    @Test
    void slurmHasTheListsWithTheAccountsBelow() {
        var text = OneRole.of(site(TREE), MACHINES, "slurm_controller", "head").texts().values().stream()
                .filter(file -> file.contains("SlurmctldHost="))
                .findFirst()
                .orElseThrow();

        assertThat(text)
                .contains(
                        "PartitionName=batch Nodes=node-1,node-2 Default=YES DenyQos=urgent State=UP",
                        "PartitionName=short Nodes=node-1,node-2 QOS=short State=UP",
                        "PartitionName=lab Nodes=node-1,node-2 AllowQos=normal AllowAccounts=science,physics State=UP",
                        "PartitionName=rest Nodes=node-1,node-2 DenyAccounts=science,physics State=UP");
    }

    @Test
    void theQosOfPartitionsComeBeforeSlurmctld() {
        var stages = TestSites.stages(site(TREE), MACHINES);

        assertThat(stage(stages, "hpc.slurm_partition_qos").needs()).contains("hpc.slurm_accounting");
        assertThat(stage(stages, "hpc.slurm_controller").needs()).contains("hpc.slurm_partition_qos");
        assertThat(stage(stages, "hpc.slurm_partition_qos").variables().get("head"))
                .extracting("slurm_partition_qos_names", InstanceOfAssertFactories.LIST)
                .containsExactly("urgent", "short");
    }

    @Test
    void withoutSuchKeysNothingIsThere() {
        var site = site("partitions: {batch: {default: true}}");

        assertThat(TestSites.stages(site, MACHINES))
                .noneMatch(stage -> stage.role().equals("slurm_partition_qos"));
        assertThat(TestSites.acceptance(site, MACHINES))
                .noneMatch(proof -> proof.template().equals("slurm/verify-partitions.sh.j2"));
    }

    @Test
    void jobsThatAreTakenAndRefusedAreProved() {
        var proof = TestSites.acceptance(site(TREE), MACHINES).stream()
                .filter(each -> each.template().equals("slurm/verify-partitions.sh.j2"))
                .findFirst()
                .orElseThrow();

        Golden.assertSame(
                Path.of("src/test/resources/golden/scripts/slurm-partitions/verify-partitions.sh"),
                new TemplateRenderer(DeepsiteHome.find()).render(proof.template(), proof.variables()));
    }

    @Test
    void limitsOfAPartitionAreProvedThereAndOthersWhereItsQosDoesNotCount() {
        var site = site(TREE);
        var slurm = (Slurm) site.clusters().values().iterator().next();

        assertThat(new SlurmLimitProofs(site, slurm).all())
                .extracting(proof -> List.of(
                        String.valueOf(proof.get("owner")),
                        String.valueOf(proof.get("qos")),
                        String.valueOf(proof.get("partition"))))
                .containsExactly(
                        List.of("QOS urgent", "urgent", "short"), List.of("partition short", "normal", "short"));
    }

    private static Stage stage(List<Stage> stages, String name) {
        return stages.stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Site site(String keys) {
        return TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: quickstart
                        provider: {lxd: {}}
                        machines:
                          head: {image: debian/12}
                          node: {count: 2, image: debian/12, cpus: 2}
                        users:
                          ann: {uid: 2001}
                          bob: {uid: 2002}
                        clusters:
                          hpc:
                            kind: slurm
                            controller: head
                            compute: [node]
                        """ + keys.indent(4), Map.of()).orFail();
    }
}
