package io.deepsite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.opennebula.OpenNebulaSite;
import io.deepsite.provider.PciBus;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PciStageTest {
    private static final Site SITE = TestSites.load("site.yaml", """
                    apiVersion: deepsite/v1
                    site: cloud
                    provider: {static: {inventory: hosts.yml}}
                    machines: {front: {}, kvm: {passthrough: [{kind: "10de:2204"}]}}
                    clusters:
                      cloud:
                        kind: opennebula
                        version: 6.10
                        frontend: front
                        hosts: [kvm]
                        install: {packages: "https://packages.example.org/opennebula", key: "https://packages.example.org/key"}
                        networks:
                          private: {bridge: br0, range: 10.80.0.0/24, first: 10.80.0.100, count: 9}
                        images:
                          debian-12: {from: "https://images.example.org/debian-12.qcow2"}
                    """, Map.of()).orFail();

    @Test
    void restartsHostsOneByOneBeforeAnythingElseIsDoneThere() {
        var stages = stages(Map.of("kvm-1", SampleBus.of("DMAR"), "kvm-2", SampleBus.of("DMAR")));

        assertThat(stages.getFirst().name()).isEqualTo("site.pci_passthrough");
        assertThat(stages.getFirst().batch()).isEqualTo(1);
        assertThat(stages.stream().skip(1))
                .allSatisfy(stage -> assertThat(stage.needs().contains("site.pci_passthrough"))
                        .isEqualTo(stage.hosts().contains("kvm-1")));
    }

    @Test
    void skipsAHostWhoseBusIsUnknown() {
        assertThat(stages(Map.of("kvm-2", SampleBus.of("DMAR"))).getFirst().hosts())
                .containsExactly("kvm-2");
        assertThat(stages(Map.of())).noneMatch(stage -> stage.role().equals(PciStage.ROLE));
    }

    @Test
    void asksForWhatTheMakerOfTheBoardNeeds() {
        var variables = stages(Map.of("kvm-1", SampleBus.of("DMAR"), "kvm-2", SampleBus.of("IVRS")))
                .getFirst()
                .variables();

        assertThat(variables.get("kvm-1"))
                .containsEntry("pci_passthrough_arguments", List.of("intel_iommu=on", "iommu=pt"));
        assertThat(variables.get("kvm-2")).containsEntry("pci_passthrough_arguments", List.of("iommu=pt"));
    }

    private static List<Stage> stages(Map<String, PciBus> buses) {
        return TestSites.stages(SITE, OpenNebulaSite.machines(), buses);
    }
}
