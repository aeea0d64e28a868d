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
    void aSlashAtTheEndOfTheIssuerIsNotDoubled() {
        var keys = MesosSite.FRAMEWORKS
                + MesosSite.OIDC.replace(
                        "issuer: https://iam.example.org/realms/lab", "issuer: https://iam.example.org/");
        var site = MesosSite.site(3, keys);

        assertThat(MesosFiles.on(site, MesosSite.machines(3), "lb").get(CONFIGURATION))
                .contains("OIDCProviderMetadataURL https://iam.example.org/.well-known/openid-configuration\n")
                .contains("reqenv('OIDC_CLAIM_iss') == 'https://iam.example.org/'");
        assertThat(MesosFiles.on(site, MesosSite.machines(3), "master-1").get("/etc/mesos/deepsite/door.json"))
                .contains("\"configuration\": \"https://iam.example.org/.well-known/openid-configuration\"");
    }

    @Test
    void asksForTheScopesThatTheClaimsNeed() {
        assertThat(onGateway("", CONFIGURATION)).contains("OIDCScope \"openid profile\"\n");
        assertThat(onGateway("  groupsClaim: wlcg.groups\n", CONFIGURATION))
                .contains("OIDCScope \"openid profile wlcg.groups\"\n", "Require claim wlcg.groups:ops\n");
        assertThat(onGateway("  scopes: [email, offline_access]\n", CONFIGURATION))
                .contains("OIDCScope \"openid email offline_access\"\n");
    }

    @Test
    void readsGroupsInsideOfOtherClaims() {
        assertThat(onGateway("  groupsClaim: /realm_access/roles\n", CONFIGURATION))
                .contains("Require claim realm_access.roles:ops\n");
    }

    @Test
    void entitlementsAreGroups() {
        var urn = "urn:geant:example.org:group:ops:role=member#iam.example.org";
        var keys = MesosSite.FRAMEWORKS
                + MesosSite.OIDC.replace("groups: [ops]", "groups: [\"" + urn + "\"]")
                + "  groupsClaim: eduperson_entitlement\n";

        assertThat(MesosFiles.on(MesosSite.site(3, keys), MesosSite.machines(3), "lb")
                        .get(CONFIGURATION))
                .contains("Require claim eduperson_entitlement:" + urn + "\n")
                .contains("OIDCScope \"openid eduperson_entitlement profile\"\n");
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
