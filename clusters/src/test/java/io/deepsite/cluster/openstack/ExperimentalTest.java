package io.deepsite.cluster.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A valid site whose OpenStack is installed in a way that no test ever ran as a whole: a note says so. */
class ExperimentalTest {
    private static final String OPENSTACK_ANSIBLE = "{kind: openstack, method: openstack-ansible, release: stein,"
            + " control: [host], compute: [host], networks: {externalVip: 192.0.2.10, management: {bridge: br-mgmt, range:"
            + " 172.29.236.0/22}, overlay: {bridge: br-vxlan, range: 172.29.240.0/22}}}";
    private static final String DEVSTACK = "{kind: openstack, method: devstack, release: rocky, compute: [host],"
            + " sources: {devstackCommit: 0123456789abcdef0123456789abcdef01234567}}";

    @ParameterizedTest
    @ValueSource(strings = {OPENSTACK_ANSIBLE, DEVSTACK})
    void anInstallationIsExperimental(String cloud) {
        assertThat(diagnostics(cloud)).singleElement().satisfies(note -> {
            assertThat(note.severity()).isEqualTo(Diagnostic.Severity.NOTE);
            assertThat(note.code()).isEqualTo(Code.EXPERIMENTAL);
        });
    }

    @Test
    void anExistingCloudIsNot() {
        assertThat(diagnostics("{kind: openstack, method: devstack, given: true, release: rocky, compute: [host]}"))
                .isEmpty();
    }

    private static List<Diagnostic> diagnostics(String cloud) {
        var loaded = TestSites.load(
                "site.yaml",
                "apiVersion: deepsite/v1\nsite: demo\nprovider: {static: {inventory: hosts.yml}}\nmachines: {host: {}}\n"
                        + "clusters:\n  cloud: " + cloud + "\n",
                Map.of());
        assertThat(loaded.site()).isPresent();
        return loaded.diagnostics();
    }
}
