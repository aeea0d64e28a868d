package io.deepsite.cluster.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.contract.Marker;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.Name;
import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MesosGatewayTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/mesos");
    private static final String CONFIGURATION = "/etc/deepsite-oidc-proxy/apache2.conf";

    @Test
    void theWholeConfiguration() throws IOException {
        Golden.assertSame(GOLDEN.resolve("apache2.conf"), onGateway("", CONFIGURATION));
    }

    /** The module alone accepts any token with a valid signature. */
    @Test
    void everyPathOfProgramsAsksWhoseTokenItIs() {
        for (var place : onGateway("", CONFIGURATION).split("<Location ")) {
            if (place.contains("AuthType oauth20")) {
                assertThat(place)
                        .contains(
                                "Require claim aud:mesos\n", "OIDC_CLAIM_iss') == 'https://iam.example.org/realms/lab'")
                        .contains(
                                "OIDC_CLAIM_exp",
                                "Require claim groups:ops\n",
                                "Require claim preferred_username:alice\n")
                        .doesNotContain("Require valid-user");
            }
            if (place.contains("ProxyPass balancer")) {
                assertThat(place).contains("RequestHeader set Authorization", "OIDCPassClaimsAs environment");
            }
        }
    }

    @Test
    void passwordsAreOnlyInTheFileOfRoot() {
        assertThat(Marker.secretsIn(onGateway("", CONFIGURATION))).isEmpty();
        assertThat(Marker.secretsIn(onGateway("", "/etc/deepsite-oidc-proxy/secrets.conf")))
                .containsExactlyInAnyOrder(
                        "mesos_tasks_oidc_client_secret",
                        "mesos_tasks_oidc_session_password",
                        "mesos_tasks_admin_password",
                        "mesos_tasks_marathon_http_password",
                        "mesos_tasks_chronos_http_password");
    }

    @Test
    void aGivenCertificateIsTaken() {
        assertThat(onGateway("  certificate: {file: /srv/tls.crt, key: /srv/tls.key}\n", CONFIGURATION))
                .contains("SSLCertificateFile /srv/tls.crt\n", "SSLCertificateKeyFile /srv/tls.key\n");
    }

    @Test
    void onMastersWhereThereIsNoLoadBalancer() {
        var keys = MesosSite.FRAMEWORKS.replace("loadBalancers: [lb]\n", "") + MesosSite.OIDC;
        var site = MesosSite.site(3, keys);

        assertThat(TestSites.stages(site, MesosSite.machines(3)))
                .filteredOn(stage -> stage.role().equals("oidc_proxy"))
                .singleElement()
                .satisfies(stage -> assertThat(stage.hosts()).containsExactly("master-1", "master-2", "master-3"));
        assertThat(TestSites.requirements(site).flows())
                .doesNotHaveDuplicates()
                .contains(new Flow(new Name("master"), new Name("master"), "tcp", "443"))
                .contains(new Flow(new Name("master"), new Name("gpu"), "tcp", "5051"));
    }

    private static String onGateway(String keys, String path) {
        var site = MesosSite.site(3, MesosSite.FRAMEWORKS + MesosSite.OIDC + keys);
        var text = MesosFiles.on(site, MesosSite.machines(3), "lb").get(path);
        assertThat(text).isNotNull();
        return text;
    }
}
