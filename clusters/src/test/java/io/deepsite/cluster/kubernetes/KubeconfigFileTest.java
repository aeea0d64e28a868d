package io.deepsite.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.Fuzz;
import io.deepsite.diag.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubeconfigFileTest {
    /** As kubeadm writes it; its user has the same name in every cluster. */
    private static final String FRESH = """
            apiVersion: v1
            clusters:
            - cluster:
                certificate-authority-data: AAAA
                server: https://10.0.0.2:6443
              name: k8s
            contexts:
            - context:
                cluster: k8s
                user: kubernetes-admin
              name: kubernetes-admin@k8s
            current-context: kubernetes-admin@k8s
            kind: Config
            preferences: {}
            users:
            - name: kubernetes-admin
              user:
                client-certificate-data: BBBB
            """;

    private static final String THERE = """
            apiVersion: v1
            kind: Config
            clusters:
            - name: prod
              cluster: {server: "https://prod.example:6443", insecure-skip-tls-verify: true}
            contexts:
            - name: prod
              context: {cluster: prod, user: kubernetes-admin}
            current-context: prod
            users:
            - name: kubernetes-admin
              user: {username: ada, password: "0123"}
            """;

    @Test
    void otherClustersAndUsersStayAsTheyAre() {
        var merged = read(THERE).with(read(FRESH).named("lab-k8s"), true).text();

        assertThat(merged)
                .contains("https://prod.example:6443", "insecure-skip-tls-verify: true", "password: \"0123\"")
                .contains("name: lab-k8s\n", "name: kubernetes-admin@lab-k8s\n", "BBBB", "https://10.0.0.2:6443")
                .contains("current-context: kubernetes-admin@lab-k8s\n");
        assertThat(read(merged).with(read(FRESH).named("lab-k8s"), true).text()).isEqualTo(merged);
    }

    @Test
    void theCurrentContextStaysWhenAsked() {
        assertThat(read(THERE).with(read(FRESH).named("lab-k8s"), false).current())
                .contains("prod");
        assertThat(read("").with(read(FRESH).named("lab-k8s"), false).current()).contains("kubernetes-admin@lab-k8s");
    }

    @Test
    void whatHasTheSameNameIsReplaced() {
        var renewed = FRESH.replace("BBBB", "CCCC").replace("10.0.0.2", "10.0.0.9");
        var merged = read(THERE)
                .with(read(FRESH).named("lab-k8s"), true)
                .with(read(renewed).named("lab-k8s"), true)
                .text();

        assertThat(merged).contains("CCCC", "10.0.0.9", "prod.example").doesNotContain("BBBB", "10.0.0.2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "site: lab\n",
                "- a\n",
                "a: [",
                "notes",
                "kind: Secret\n",
                "kind: Config\nclusters: {a: b}\n",
                "kind: Config\nusers: [{user: {}}]\n"
            })
    void whatIsNoKubeconfigIsRefused(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(Failure.class).hasMessageContaining("is no kubeconfig");
    }

    @Test
    void existingFilesAreMergedOrRefused() {
        Fuzz.run(
                "kubeconfig",
                List.of(FRESH, THERE),
                text -> read(text).with(read(FRESH).named("lab-k8s"), true).text(),
                Failure.class);
    }

    private static KubeconfigFile read(String text) {
        return KubeconfigFile.read(text, "config");
    }
}
