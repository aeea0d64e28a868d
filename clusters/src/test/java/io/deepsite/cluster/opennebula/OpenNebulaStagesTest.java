package io.deepsite.cluster.opennebula;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.FaultMessage;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OpenNebulaStagesTest {
    @Test
    void hostsRegisterAtAFrontEndThatIsThere() {
        var stages = TestSites.stages(OpenNebulaSite.site("6.10", ""), OpenNebulaSite.machines());

        assertThat(stages)
                .extracting(Stage::name)
                .containsSubsequence(
                        "cloud.opennebula_repository",
                        "cloud.opennebula_frontend",
                        "cloud.opennebula_kvm_host",
                        "cloud.opennebula_cloud");
        assertThat(stage(stages, "cloud.opennebula_kvm_host").hosts()).containsExactly("kvm-1", "kvm-2", "gpu-1");
        assertThat(stage(stages, "cloud.opennebula_kvm_host").needs())
                .contains("cloud.opennebula_frontend", "cloud.opennebula_repository");
        assertThat(stage(stages, "cloud.opennebula_cloud").everyHost()).isTrue();
    }

    @Test
    void packagesThatAreThereNeedNoRepository() {
        var given = TestSites.stages(withPackages(), OpenNebulaSite.machines());

        assertThat(given).noneMatch(stage -> stage.role().equals("opennebula_repository"));
        assertThat(variables(given, "cloud.opennebula_frontend", "front"))
                .containsEntry("opennebula_frontend_packages", List.of());
    }

    @Test
    void thePublicRepositoryHasAFolderForEachDistribution() {
        var site = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: demo
                        provider:
                          openstack: {network: {external: public}, bastion: front}
                        machines:
                          front: {image: debian/12, memory: 2GiB}
                          kvm: {image: ubuntu/24.04, memory: 4GiB}
                        clusters:
                          cloud:
                            kind: opennebula
                            version: 6.10
                            frontend: front
                            hosts: [kvm]
                            networks:
                              private: {bridge: br0, range: 10.80.0.0/24, first: 10.80.0.100, count: 100}
                            images:
                              debian-12: {from: "https://images.example.org/debian-12.qcow2"}
                        """, Map.of()).orFail();
        var stages = TestSites.stages(
                site,
                List.of(
                        OpenNebulaSite.machine("front", "front", "10.0.0.1", 22),
                        OpenNebulaSite.machine("kvm", "kvm", "10.0.0.2", 22)));

        assertThat(variables(stages, "cloud.opennebula_repository", "front"))
                .containsEntry("opennebula_repository_uri", "https://downloads.opennebula.io/repo/6.10/Debian/12")
                .containsEntry("opennebula_repository_key_from", "https://downloads.opennebula.io/repo/repo2.key");
        assertThat(variables(stages, "cloud.opennebula_repository", "kvm"))
                .containsEntry("opennebula_repository_uri", "https://downloads.opennebula.io/repo/6.10/Ubuntu/24.04");
    }

    @Test
    void beforeSevenOneFileSaysWhatAllHostsShow() {
        var filter = filter("6.10", """
                passthrough:
                  - {vendor: "10de", class: "0302"}
                  - {vendor: "8086", device: "154c"}
                """);

        assertThat(filter.kinds()).containsExactly("10de:*:0302", "8086:154c");
        assertThat(filter.addresses()).isEmpty();
        assertThat(filter.attributes(OpenNebulaSite.machines().get(3))).isEmpty();
    }

    /** The file's filters are combined by AND: an address alone would match nothing. */
    @Test
    void aFilterByAddressLetsEveryKindThrough() {
        var filter = filter("6.6", "passthrough: [{addresses: [\"0000:3b:00.0\", \"0000:5e:00.1\"]}]");

        assertThat(filter.kinds()).containsExactly("*:*");
        assertThat(filter.addresses()).containsExactly("3b:00.0", "5e:00.1");
    }

    @Test
    void withoutPassthroughHostsShowNothing() {
        assertThat(filter("6.10", "").kinds()).containsExactly("0:0");
    }

    @Test
    void fromSevenOnEachHostHasItsOwnFilter() {
        var filter = filter("7.0", """
                passthrough:
                  - {groups: [gpu], addresses: ["0000:3b:00.0"]}
                  - {groups: [kvm], vendor: "8086", device: "154c"}
                """);

        assertThat(filter.kinds()).containsExactly("0:0");
        assertThat(filter.attributes(OpenNebulaSite.machines().get(3)))
                .containsEntry("PCI_FILTER", "*:*")
                .containsEntry("PCI_SHORT_ADDRESS", "3b:00.0");
        assertThat(filter.attributes(OpenNebulaSite.machines().get(1)))
                .containsEntry("PCI_FILTER", "8086:154c")
                .containsEntry("PCI_SHORT_ADDRESS", "");
    }

    @Test
    void anotherFilterIsAnotherReasonToBringTheProbesToTheHosts() {
        assertThat(filter("6.10", "").words())
                .isNotEqualTo(
                        filter("6.10", "passthrough: [{vendor: \"10de\"}]").words());
    }

    @Test
    void hostsAndFrontEndReachEachOther() {
        assertThat(TestSites.requirements(OpenNebulaSite.site("6.10", "")).flows())
                .contains(
                        new Flow(new Name("front"), new Name("kvm"), "tcp", "22"),
                        new Flow(new Name("kvm"), new Name("front"), "udp", "4124"),
                        new Flow(new Name("kvm"), new Name("gpu"), "tcp", "49152-49215"));
    }

    @Test
    void anotherReleaseOfAnExistingCloudIsDetected() {
        var site = OpenNebulaSite.site("6.10", "");

        assertThat(TestSites.cluster(site, OpenNebulaSite.NAME).madeWith())
                .containsExactly(Map.entry("version", "6.10"));
        assertThat(variables(TestSites.stages(site, OpenNebulaSite.machines()), "cloud.opennebula_cloud", "front"))
                .containsEntry(
                        "opennebula_cloud_made_with",
                        TestSites.cluster(site, OpenNebulaSite.NAME).madeWith());
    }

    @Test
    void runsNoCommands() {
        var site = OpenNebulaSite.site("6.10", "");

        FaultMessage.assertReads(
                "opennebula/DS8004-commands-in-opennebula",
                () -> TestSites.cluster(site, OpenNebulaSite.NAME)
                        .commandPrefix(OpenNebulaSite.machines(), Optional.empty()));
    }

    private static PciFilter filter(String release, String keys) {
        return new PciFilter(OpenNebulaSite.cloud(OpenNebulaSite.site(release, keys)));
    }

    private static Site withPackages() {
        return TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: demo
                        provider:
                          static: {inventory: hosts.yml}
                        machines:
                          front: {}
                          kvm: {}
                        clusters:
                          cloud:
                            kind: opennebula
                            version: 6.10
                            frontend: front
                            hosts: [kvm]
                            install: {given: true}
                            networks:
                              private: {bridge: br0, range: 10.80.0.0/24, first: 10.80.0.100, count: 100}
                            images:
                              debian-12: {from: "https://images.example.org/debian-12.qcow2"}
                        """, Map.of()).orFail();
    }

    private static Map<String, Object> variables(List<Stage> stages, String name, String host) {
        return stage(stages, name).variables().get(host);
    }

    private static Stage stage(List<Stage> stages, String name) {
        return stages.stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
