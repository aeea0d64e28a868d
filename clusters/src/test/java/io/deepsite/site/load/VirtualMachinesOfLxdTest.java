package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What only containers are refused: an LXD virtual machine has its own kernel and supports nested virtualization. */
class VirtualMachinesOfLxdTest {
    private static final String DRIVER = """
            apiVersion: deepsite/v1
            site: lab
            provider:
              lxd:
                groups:
                  gpu: {virtualMachines: %s}
            machines:
              gpu: {image: debian/12, cpus: 2, memory: 4GiB, gpus: [{vendor: nvidia}], driver: {branch: "570"}}
            """;

    private static final String HOSTS = """
            apiVersion: deepsite/v1
            site: lab
            provider:
              lxd:
                groups:
                  kvm: {virtualMachines: %s}
            machines:
              front: {image: debian/12, cpus: 2, memory: 4GiB}
              kvm: {image: debian/12, cpus: 2, memory: 4GiB}
            clusters:
              cloud:
                kind: opennebula
                frontend: front
                hosts: [kvm]
                install: {packages: "https://packages.example.org/opennebula"}
                networks:
                  private: {bridge: br0, range: 10.80.0.0/24, first: 10.80.0.100, count: 100}
                images:
                  debian-12: {from: "https://images.example.org/debian-12.qcow2"}
            """;

    @Test
    void getADriverOfTheirOwnAndContainersDoNot() {
        assertThat(codes(DRIVER.formatted("true"))).doesNotContain(Code.NOT_WITH_PROVIDER);
        assertThat(codes(DRIVER.formatted("false"))).contains(Code.NOT_WITH_PROVIDER);
    }

    @Test
    void areHostsOfAnOpenNebulaAndContainersAreNot() {
        assertThat(codes(HOSTS.formatted("true"))).doesNotContain(Code.NOT_WITH_PROVIDER);
        assertThat(codes(HOSTS.formatted("false"))).contains(Code.NOT_WITH_PROVIDER);
    }

    private static List<Code> codes(String text) {
        return TestSites.load("site.yaml", text, Map.of()).diagnostics().stream()
                .map(Diagnostic::code)
                .toList();
    }
}
