package io.deepsite.cluster.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Marker;
import io.deepsite.diag.FaultMessage;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MesosStagesTest {
    @Test
    void mastersWaitForTheWholeEnsembleAndAgentsForMasters() {
        var stages = TestSites.stages(MesosSite.site(3, MesosSite.FRAMEWORKS), MesosSite.machines(3));

        assertThat(stages)
                .extracting(Stage::name)
                .containsSubsequence(
                        "tasks.mesos_software",
                        "tasks.zookeeper",
                        "tasks.mesos_master",
                        "tasks.mesos_agent",
                        "tasks.marathon",
                        "tasks.marathon_lb",
                        "tasks.chronos");
        assertThat(stage(stages, "tasks.zookeeper").hosts()).containsExactly("master-1", "master-2", "master-3");
        assertThat(stage(stages, "tasks.mesos_master").everyHost()).isTrue();
        assertThat(stage(stages, "tasks.mesos_agent").hosts()).containsExactly("agent-1", "gpu-1");
    }

    @Test
    void theQuorumIsAMajority() {
        for (var expected : Map.of(1, 1, 3, 2, 5, 3).entrySet()) {
            int masters = expected.getKey();

            assertThat(new MesosLayout(
                                    MesosSite.NAME,
                                    (Mesos) MesosSite.site(masters, "")
                                            .clusters()
                                            .get(MesosSite.NAME),
                                    MesosSite.machines(masters))
                            .quorum())
                    .isEqualTo(expected.getValue());
        }
    }

    @Test
    void agentsWithCardsIsolateThemAndOthersDoNot() {
        assertThat(agent("", "gpu-1"))
                .contains("MESOS_ISOLATION=docker/runtime,filesystem/linux,cgroups/devices,gpu/nvidia\n")
                .contains("MESOS_IMAGE_PROVIDERS=docker\n")
                .contains("MESOS_CONTAINERIZERS=mesos,docker\n")
                .doesNotContain("MESOS_RESOURCES");
        assertThat(agent("", "agent-1")).doesNotContain("nvidia").doesNotContain("MESOS_RESOURCES");
        assertThat(agent("docker: false\n", "gpu-1")).contains("MESOS_CONTAINERIZERS=mesos\n");
    }

    @Test
    void aPartOfTheCardsIsOfferedByNumber() {
        assertThat(agent("gpu: {offer: [{group: gpu, count: 1}]}\n", "gpu-1"))
                .contains("MESOS_NVIDIA_GPU_DEVICES=0\n")
                .contains("MESOS_RESOURCES=gpus:1\n");
    }

    @Test
    void passwordsAreSecretsOfTheClusterAndOnlyInFilesOfTheirReaders() {
        var site = MesosSite.site(3, MesosSite.FRAMEWORKS);
        var onMaster = MesosFiles.on(site, MesosSite.machines(3), "master-1");
        var onAgent = MesosFiles.on(site, MesosSite.machines(3), "agent-1");

        assertThat(onMaster.get("/etc/mesos/credentials"))
                .contains(
                        Marker.jsonSecret("mesos_tasks_admin_password"),
                        Marker.jsonSecret("mesos_tasks_agent_password"))
                .contains("\"principal\": \"marathon\"", "\"principal\": \"chronos\"");
        assertThat(Marker.secretsIn(String.join("\n", onAgent.values())))
                .containsExactlyInAnyOrder(
                        "mesos_tasks_zookeeper_password", "mesos_tasks_agent_password", "mesos_tasks_admin_password");
        assertThat(Marker.secretsIn(onMaster.get("/etc/systemd/system/chronos.service")))
                .as("whoever lists processes reads a command line")
                .isEmpty();
    }

    @Test
    void mastersReachEachOtherAndAgentsReachThem() {
        assertThat(TestSites.requirements(MesosSite.site(3, "")).flows())
                .contains(
                        new Flow(new Name("master"), new Name("master"), "tcp", "3888"),
                        new Flow(new Name("gpu"), new Name("master"), "tcp", "5050"),
                        new Flow(new Name("master"), new Name("agent"), "tcp", "5051"));
    }

    @Test
    void loadBalancersReachMarathonAndTasks() {
        assertThat(TestSites.requirements(MesosSite.site(3, MesosSite.FRAMEWORKS))
                        .flows())
                .contains(
                        new Flow(new Name("lb"), new Name("master"), "tcp", "8080"),
                        new Flow(new Name("lb"), new Name("gpu"), "tcp", "31000-32000"),
                        new Flow(new Name("master"), new Name("lb"), "tcp", "10000-10100"));
    }

    @Test
    void runsCommandsAsJobsOfChronos() {
        var site = MesosSite.site(3, MesosSite.FRAMEWORKS);

        assertThat(site.clusters().get(MesosSite.NAME).runsCommands()).isTrue();
        assertThat(TestSites.cluster(site, MesosSite.NAME).commandPrefix(MesosSite.machines(3), Optional.empty()))
                .isEqualTo(new ClusterKind.CommandPrefix(
                        "master-1", List.of("/usr/local/sbin/deepsite-mesos", "run", "alice")));
    }

    @Test
    void runsNoCommandsWithoutChronos() {
        var site = MesosSite.site(1, "");

        FaultMessage.assertReads(
                "mesos/DS8004-commands-in-mesos",
                () -> TestSites.cluster(site, MesosSite.NAME).commandPrefix(MesosSite.machines(1), Optional.empty()));
    }

    private static String agent(String keys, String host) {
        return MesosFiles.on(MesosSite.site(1, keys), MesosSite.machines(1), host)
                .getOrDefault("/etc/mesos/agent.env", "");
    }

    private static Stage stage(List<Stage> stages, String name) {
        return stages.stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
