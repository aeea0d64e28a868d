package io.deepsite.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class KubeconfigTest {
    private static final List<String> ADMIN = List.of("deepsite-kubernetes-kubeconfig", "admin");
    private static final List<String> OIDC =
            List.of("deepsite-kubernetes-kubeconfig", "oidc", "https://login.example", "kubernetes");

    /** As kubeadm writes it. */
    private static final String CONFIG = """
            apiVersion: v1
            clusters:
            - cluster:
                certificate-authority-data: QUJD
                server: https://10.0.0.1:6443
              name: kubernetes
            contexts:
            - context:
                cluster: kubernetes
                user: kubernetes-admin
              name: kubernetes-admin@kubernetes
            current-context: kubernetes-admin@kubernetes
            kind: Config
            preferences: {}
            users:
            - name: kubernetes-admin
              user:
                client-certificate-data: QUJD
                client-key-data: REVG
            """;

    private static final String LOGIN = CONFIG.substring(0, CONFIG.indexOf("    client-certificate")) + """
                exec:
                  apiVersion: client.authentication.k8s.io/v1
                  command: kubectl
                  args:
                  - oidc-login
                  - get-token
                  - --oidc-issuer-url=https://login.example
                  - --oidc-client-id=kubernetes
                  interactiveMode: IfAvailable
            """;

    @Test
    void keepsTheDataOfAKubeconfig() {
        assertThat(Kubeconfig.checked(CONFIG, ADMIN, List.of())).isEqualTo("""
                apiVersion: v1
                kind: Config
                clusters:
                  - name: kubernetes
                    cluster:
                      certificate-authority-data: QUJD
                      server: "https://10.0.0.1:6443"
                users:
                  - name: kubernetes-admin
                    user:
                      client-certificate-data: QUJD
                      client-key-data: REVG
                contexts:
                  - name: "kubernetes-admin@kubernetes"
                    context:
                      cluster: kubernetes
                      user: kubernetes-admin
                current-context: "kubernetes-admin@kubernetes"
                """);
    }

    @Test
    void letsKubectlRunTheLoginThatWasAskedFor() {
        assertThat(Kubeconfig.checked(LOGIN, OIDC, List.of()))
                .contains("command: kubectl")
                .contains("- \"--oidc-issuer-url=https://login.example\"")
                .contains("interactiveMode: IfAvailable");
    }

    @Test
    void asksForTheScopesOfTheSite() {
        assertThat(Kubeconfig.checked(LOGIN, OIDC, List.of("email", "wlcg.groups")))
                .containsSubsequence(
                        "--oidc-client-id=kubernetes", "--oidc-extra-scope=email", "--oidc-extra-scope=wlcg.groups");
    }

    @Test
    void refusesWhatWouldRunOrReadOnTheOperatorsMachine() {
        var key = "    client-key-data: REVG\n";
        for (var said : List.of(
                CONFIG.replace(key, "    exec: {apiVersion: v1, command: sh}\n"),
                CONFIG.replace(key, "    auth-provider: {name: gcp, config: {cmd-path: sh}}\n"),
                CONFIG.replace(key, "    client-key: /home/operator/.ssh/id_ed25519\n"),
                CONFIG.replace(key, "    tokenFile: /home/operator/.ssh/id_ed25519\n"),
                CONFIG.replace("server:", "proxy-url: http://other.example\n    server:"),
                CONFIG.replace("https://10", "http://10"),
                CONFIG.replace("REVG", "\"a\\e[2J\""),
                CONFIG.replace("REVG", "[1]"),
                CONFIG.replace("preferences", "extensions"),
                CONFIG.replace("users:\n", "users: &a\n") + "\nclusters: *a\n",
                LOGIN,
                "kind: !!javax.script.ScriptEngineManager {}",
                "[".repeat(10_000),
                "- a",
                "",
                "<html>")) {
            assertThatThrownBy(() -> Kubeconfig.checked(said, ADMIN, List.of()))
                    .as(said)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (var said : List.of(
                LOGIN.replace("command: kubectl", "command: sh"),
                LOGIN.replace("--oidc-client-id=kubernetes", "--browser-command=sh"),
                LOGIN.replace("      interactiveMode: IfAvailable", "      env: [{name: PATH, value: /tmp}]"),
                CONFIG)) {
            assertThatThrownBy(() -> Kubeconfig.checked(said, OIDC, List.of()))
                    .as(said)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
