package io.deepsite.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.render.YamlText;
import io.deepsite.site.Site;
import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The configuration for each generation of kubeadm: golden files, each checked strictly against the published fields of
 * its types.
 */
class KubeadmConfigTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/kubernetes");
    private static final String KEYS = """
            endpoint: {virtualAddress: 10.64.0.250}
            network: {plugin: bridge}
            oidc: {issuer: "https://iam.example.org/realms/lab", clientId: kubernetes, usernameClaim: preferred_username, groupsClaim: groups, groupsPrefix: "lab:"}
            authorization:
              modes: [Node, RBAC, ABAC]
              policies:
                - {user: alice, namespace: "*", resource: pods, readonly: true}
                - {group: physics, namespace: physics}
                - {group: "system:authenticated", nonResourcePath: "*", readonly: true}
            """;

    @ParameterizedTest
    @ValueSource(strings = {"1.20.2", "1.24.17", "1.29.15", "1.31.4", "1.36.0"})
    void configurationIsOfTheApiOfItsVersion(String version) throws IOException {
        var machines = List.of(false, true);

        for (boolean containers : machines) {
            var site = KubernetesSite.site(version, 3, KEYS);
            var layout = new KubernetesLayout(
                    site, KubernetesSite.NAME, KubernetesSite.cluster(site), KubernetesSite.machines(3, 2, containers));
            var first = layout.controlPlane(layout.first());
            var folder = GOLDEN.resolve(version).resolve(containers ? "containers" : "machines");
            var init = (String) first.get("kubernetes_control_plane_config");
            var joinedControlPlane =
                    join(layout.controlPlane(layout.controlPlane().get(1)), "control_plane");
            var joinedWorker = join(layout.worker(layout.workers().getFirst()), "worker");

            Golden.assertSame(folder.resolve("kubeadm.yaml"), init);
            Golden.assertSame(folder.resolve("join-control-plane.yaml"), joinedControlPlane);
            Golden.assertSame(folder.resolve("join-worker.yaml"), joinedWorker);
            assertThat(ConfigFields.faults(init)).isEmpty();
            assertThat(ConfigFields.faults(joinedControlPlane)).isEmpty();
            assertThat(ConfigFields.faults(joinedWorker)).isEmpty();
            for (var file : identity(site).files()) {
                var name = file.path().replaceAll(".*/([a-z-]+)-[0-9a-f]{8}", "$1");
                Golden.assertSame(folder.resolve(name), file.text());
                if (name.endsWith(".yaml")) {
                    assertThat(ConfigFields.faults(file.text())).isEmpty();
                }
            }
        }
    }

    @Test
    void aFieldOfAnotherVersionIsFound() throws IOException {
        var beta3 =
                "apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\nscheduler:\n  extraArgs:\n    v: \"2\"\n";

        assertThat(ConfigFields.faults(beta3)).isEmpty();
        assertThat(ConfigFields.faults(beta3.replace("v1beta3", "v1beta4"))).hasSize(1);
        assertThat(ConfigFields.faults(beta3.replace("scheduler", "shceduler"))).hasSize(1);
    }

    @Test
    void aFileOfOtherTextIsAnotherFlag() {
        var one = identity(KubernetesSite.site("1.20.2", 1, policy("alice"))).flags();
        var other = identity(KubernetesSite.site("1.20.2", 1, policy("bob"))).flags();

        assertThat(one.get("authorization-policy-file"))
                .matches("/etc/kubernetes/deepsite/apiserver/abac-[0-9a-f]{8}\\.jsonl")
                .isNotEqualTo(other.get("authorization-policy-file"));
    }

    @Test
    void usersCarryThePrefixThatKubernetesReallyUses() {
        var issuer = "issuer: \"https://iam.example.org\", clientId: kubernetes";

        assertThat(user("oidc: {" + issuer + "}")).isEqualTo("https://iam.example.org#alice");
        assertThat(user("oidc: {" + issuer + ", usernameClaim: email}")).isEqualTo("alice");
        assertThat(user("oidc: {" + issuer + ", usernamePrefix: \"oidc:\"}")).isEqualTo("oidc:alice");
        assertThat(user("oidc: {" + issuer + ", usernamePrefix: \"-\"}")).isEqualTo("alice");
        assertThat(user("")).isEqualTo("alice");
        assertThat(identity(KubernetesSite.site("1.29.0", 1, "oidc: {" + issuer + "}"))
                        .userName("system:serviceaccount:kube-system:default"))
                .isEqualTo("system:serviceaccount:kube-system:default");
    }

    @Test
    void claimsInsideOfOthersAreExpressions() throws IOException {
        var site = KubernetesSite.site("1.31.4", 1, """
                oidc: {issuer: "https://iam.example.org/", clientId: kubernetes, usernameClaim: /user/name,
                       usernamePrefix: "-", groupsClaim: /realm_access/roles, groupsPrefix: "lab:"}
                """);

        var text = identity(site).files().getFirst().text();

        assertThat(ConfigFields.faults(text)).isEmpty();
        assertThat(text)
                .contains("url: \"https://iam.example.org/\"\n")
                .contains(expression("\"\" + claims[\"user\"][\"name\"]"))
                .contains(expression("\"realm_access\" in claims && \"roles\" in claims[\"realm_access\"]"
                        + " ? claims[\"realm_access\"][\"roles\"].map(name, \"lab:\" + name) : []"))
                .doesNotContain("prefix:");
    }

    private static String expression(String cel) {
        return "expression: \"" + cel.replace("\"", "\\\"") + "\"\n";
    }

    private static String user(String keys) {
        return identity(KubernetesSite.site("1.29.0", 1, keys)).userName("alice");
    }

    private static String policy(String user) {
        return "authorization: {modes: [Node, RBAC, ABAC], policies: [{user: " + user + "}]}";
    }

    private static KubernetesIdentity identity(Site site) {
        return new KubernetesIdentity(KubernetesSite.cluster(site), Optional.empty());
    }

    @SuppressWarnings("unchecked")
    private static String join(Map<String, Object> variables, String role) {
        return YamlText.documents(List.of((Map<String, Object>) variables.get("kubernetes_" + role + "_join")));
    }
}
