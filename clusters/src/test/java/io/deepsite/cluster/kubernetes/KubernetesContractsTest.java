package io.deepsite.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.OneRole;
import io.deepsite.contract.Action;
import io.deepsite.provider.Machine;
import io.deepsite.site.Site;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a plan checks on existing hosts whose scripts are older than site.yaml. */
class KubernetesContractsTest {
    private static final List<Machine> MACHINES = KubernetesSite.machines(1, 1, true);

    @Test
    void checksChangedFlagsInTheRunningApiServer() {
        var before = action(KubernetesSite.site("1.20.2", 1, ""), "kubernetes_control_plane", "in-force");
        var after = action(
                KubernetesSite.site("1.20.2", 1, "oidc: {issuer: \"https://iam.example.org\", clientId: kubernetes}"),
                "kubernetes_control_plane",
                "in-force");

        assertThat(before.done()).last().asString().doesNotContain("--oidc");
        assertThat(after.done())
                .last()
                .asString()
                .contains("--authorization-mode=Node,RBAC", "--oidc-issuer-url=https://iam.example.org");
        assertThat(after.does()).contains("restarts kube-apiserver");
        assertThat(after.blast()).isEqualTo(Action.Impact.RESTART);
    }

    @Test
    void checksTheHostForAnotherBuildInTheSameFolder(@TempDir Path binaries) throws Exception {
        var site = KubernetesSite.site("1.20.2", 1, "install: {binaries: \"" + binaries + "\"}");
        var sums = binaries.resolve("SHA256SUMS");

        Files.writeString(sums, "0".repeat(64) + "  bin/kubelet\n");
        var before = action(site, "kubernetes_node", "binaries");
        Files.writeString(sums, "1".repeat(64) + "  bin/kubelet\n");
        var after = action(site, "kubernetes_node", "binaries");

        assertThat(before.done()).last().asString().matches("[0-9a-f]{64}");
        assertThat(after.done())
                .last()
                .asString()
                .matches("[0-9a-f]{64}")
                .isNotEqualTo(before.done().getLast());
        assertThat(action(site, "kubernetes_node", "images").done().getLast())
                .isEqualTo(after.done().getLast());
    }

    @Test
    void aMoveToAnotherReleaseIsAskedForAndHasNoWayBack() {
        for (var version : List.of("1.20.2", "1.24.17", "1.31.4")) {
            var site = KubernetesSite.site(version, 1, "drain: {patience: 2m}\n");
            var first = action(site, "kubernetes_control_plane", "release");
            var workers = action(site, "kubernetes_release", "workers");

            assertThat(List.of(first, workers)).as(version).allSatisfy(move -> {
                assertThat(move.does()).contains(version);
                assertThat(move.done()).last().isEqualTo(version);
                assertThat(move.blast()).isEqualTo(Action.Impact.DRAIN);
                assertThat(move.undo()).isEmpty();
                assertThat(move.args()).containsEntry("version", version).containsEntry("seconds", 120);
            });
            assertThat(first.args()).containsEntry("command", "apply");
            assertThat(workers.args()).containsEntry("workers", List.of("worker-1"));
        }
    }

    private static Action action(Site site, String role, String id) {
        return OneRole.of(site, MACHINES, role, MACHINES.getFirst().name()).contract().actions().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
