package io.deepsite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** The driver stage precedes the cluster's stages on hosts with a driver, and only there. */
class NvidiaStagesTest {
    private static final String DRIVER = "gpus: [{vendor: nvidia}], driver: {branch: 535, packages: [nvidia-driver]}";

    @Test
    void slurmNodesHaveTheirDriverFirst() {
        firstOn("node", "hpc: {kind: slurm, controller: head, compute: [node]}");
    }

    @Test
    void kubernetesWorkersHaveTheirDriverFirst() {
        firstOn("node", "k8s: {kind: kubernetes, version: 1.29.3, controlPlane: head, workers: [node]}");
    }

    @Test
    void mesosAgentsHaveTheirDriverFirst() {
        firstOn(
                "node",
                "tasks: {kind: mesos, masters: head, agents: [node], install: {tarball: /srv/mesos.tar.gz, sha256: "
                        + "0123456789abcdef".repeat(4) + "}}");
    }

    @Test
    void cardsOfAnotherVendorAreNotCounted() {
        var stages = TestSites.stages(
                site("hpc: {kind: slurm, controller: head, compute: [node]}"),
                List.of(machine("head"), machine("node", "nvidia", "amd", "nvidia")));

        assertThat(stages.stream().filter(stage -> stage.name().equals(NvidiaStages.DRIVER)))
                .singleElement()
                .satisfies(stage -> assertThat(stage.variables().get("node")).containsEntry("nvidia_driver_cards", 2));
    }

    @Test
    void aMirrorHasTheRepositoryAndItsKey() {
        var site = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: cards
                        provider: {static: {inventory: hosts.yml}}
                        mirrors: {apt: {nvidia: "http://mirror.example/nvidia/"}}
                        machines:
                          node:
                            gpus: [{vendor: nvidia}]
                            driver:
                              branch: 535
                              packages: [nvidia-driver]
                              repository:
                                uri: https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64/
                                keyFrom: https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64/3bf863cc.pub
                                fingerprint: 0123456789ABCDEF0123456789ABCDEF01234567
                        """, Map.of()).orFail();

        var stage = TestSites.stages(site, List.of(machine("node", "nvidia"))).getFirst();

        assertThat(stage.variables().get("node"))
                .extracting("nvidia_packages_repository", InstanceOfAssertFactories.MAP)
                .containsEntry("uri", "http://mirror.example/nvidia/debian12/x86_64/")
                .containsEntry("key_from", "http://mirror.example/nvidia/debian12/x86_64/3bf863cc.pub")
                .containsEntry("suite", "/");
    }

    private static void firstOn(String host, String cluster) {
        var stages = TestSites.stages(site(cluster), List.of(machine("head"), machine(host, "nvidia")));

        assertThat(stages.stream().limit(2).map(Stage::role)).containsExactly("nvidia_packages", "nvidia_driver");
        assertThat(stages.stream().limit(2))
                .allSatisfy(stage -> assertThat(stage.hosts()).containsExactly(host));
        assertThat(stages.get(1).needs()).containsExactly(NvidiaStages.PACKAGES);
        assertThat(stages.stream().skip(2))
                .isNotEmpty()
                .allSatisfy(stage -> assertThat(stage.needs().contains(NvidiaStages.DRIVER))
                        .as(stage.name())
                        .isEqualTo(stage.hosts().contains(host)));
    }

    private static Site site(String cluster) {
        return TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: cards
                        provider: {static: {inventory: hosts.yml}}
                        machines: {head: {cpus: 2, memory: 4GiB}, node: {memory: 4GiB, %s}}
                        clusters: {%s}
                        """.formatted(DRIVER, cluster), Map.of())
                .orFail();
    }

    private static Machine machine(String name, String... vendors) {
        return new Machine(
                name,
                new Name(name),
                Optional.empty(),
                "static",
                new Machine.Specs(
                        4,
                        8192,
                        false,
                        Stream.of(vendors)
                                .map(vendor -> new Machine.Gpu(vendor, "card", "0000:17:00.0", "/dev/nvidia0"))
                                .toList()),
                new Machine.Ssh(Optional.of("10.0.1." + name.length()), 22, "root", Optional.empty()));
    }
}
