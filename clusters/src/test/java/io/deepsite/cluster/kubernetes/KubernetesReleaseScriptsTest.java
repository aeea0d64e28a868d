package io.deepsite.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.HostScripts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the scripts on the machines move them to another release; stand-ins of kubectl and others give set answers. */
class KubernetesReleaseScriptsTest {
    private static final String WORKERS = "deepsite-kubernetes-workers";

    @TempDir
    private Path folder;

    private HostScripts host;

    @BeforeEach
    void scripts() {
        host = new HostScripts(
                folder,
                KubernetesSite.site("1.20.2", 1, "network: {plugin: bridge}"),
                KubernetesSite.machines(1, 1, true));
    }

    @Test
    void aNodeThatWaitsForItsReleaseIsNotTakenBackByTheRoleOfWorkers() throws Exception {
        Files.writeString(folder.resolve("kubelet.conf"), "");
        host.program("kubectl", "echo release");

        assertThat(host.run("worker-1", "deepsite-kubernetes-worker", "in-service")
                        .exit())
                .isZero();
        var back = host.run("control-1", "deepsite-kubernetes-drain", "back", "worker-1");
        assertThat(back.out()).as("no call but those that ask").isEmpty();
    }

    @Test
    void workersWithAnotherKubeletAndStoppedOnesHaveYetToMove() throws Exception {
        var three = new HostScripts(
                folder,
                KubernetesSite.site("1.20.2", 1, "network: {plugin: bridge}"),
                KubernetesSite.machines(1, 4, true));
        host.program("kubectl", """
                printf 'control-1/v1.20.1/\\nworker-1/v1.20.2/\\nworker-2/v1.20.1/\\nworker-3/v1.20.2/release\\nother/v1.20.1/\\n'
                """);

        assertThat(three.run("control-1", WORKERS, "due", "1.20.2").out()).isEqualTo("worker-2\nworker-3\n");
        assertThat(three.run("control-1", WORKERS, "moved", "1.20.2").exit()).isEqualTo(1);

        host.program("kubectl", "printf 'worker-1/v1.20.2/true\\n'");
        assertThat(three.run("control-1", WORKERS, "moved", "1.20.2").exit()).isZero();

        host.program("kubectl", "exit 1");
        assertThat(three.run("control-1", WORKERS, "moved", "1.20.2").exit()).isZero();
        assertThat(three.run("control-1", WORKERS, "due", "1.20.2").exit()).isEqualTo(1);
    }

    @Test
    void aControlPlaneMachineHasMovedWhenAllItsPartsHave() throws Exception {
        assertThat(moved().exit()).as("no member of a cluster").isZero();

        Files.writeString(folder.resolve("kubelet.conf"), "");
        Files.createDirectories(folder.resolve("manifests"));
        var manifest = folder.resolve("manifests/kube-apiserver.yaml");
        Files.writeString(manifest, "    image: k8s.gcr.io/kube-apiserver:v1.20.2\n");
        host.program("kubelet", "echo Kubernetes v1.20.2");
        host.program("kubectl", "printf v1.20.2/");
        assertThat(moved().exit()).isZero();

        host.program("kubectl", "printf v1.20.2/release");
        assertThat(moved().exit()).as("it is still drained").isEqualTo(1);
        host.program("kubectl", "printf v1.20.1/");
        assertThat(moved().exit()).as("the running kubelet is older").isEqualTo(1);
        host.program("kubectl", "exit 1");
        assertThat(moved().exit()).as("the API server is silent").isZero();
        host.program("kubelet", "echo Kubernetes v1.20.1");
        assertThat(moved().exit()).as("kubelet on the disk is older").isEqualTo(1);
        host.program("kubelet", "echo Kubernetes v1.20.2");
        Files.writeString(manifest, "    image: k8s.gcr.io/kube-apiserver:v1.20.20\n");
        assertThat(moved().exit()).as("another API server").isEqualTo(1);
    }

    private HostScripts.Said moved() throws Exception {
        return host.run("control-1", "deepsite-kubernetes-release", "moved", "1.20.2");
    }

    @Test
    void aMemberWithAnotherKubeletKeepsItsCommandsUntilItsTurn() throws Exception {
        host.program("kubelet", "echo Kubernetes v1.19.16");
        host.program("kubeadm", "echo v1.20.2");
        assertThat(node("at-hand", "given").out()).as("no member of a cluster").isEqualTo("kubelet is v1.19.16\n");

        Files.writeString(folder.resolve("kubelet.conf"), "");
        assertThat(node("place").exit()).as("it stays where it is").isZero();
        assertThat(node("at-hand", "given").out()).isEmpty();
        assertThat(node("release").exit()).isZero();
        assertThat(node("at-hand", "binaries").out()).isEqualTo("kubeadm is not there\nkubelet is not there\n");
        host.program("apt-cache", "echo '  Candidate: 1.19.16-1.1'");
        assertThat(node("at-hand", "packages").out()).isEqualTo("the package repository has no kubeadm 1.20.2\n");
        host.program("apt-cache", "echo '  Candidate: 1.20.2-1.1'");
        assertThat(node("at-hand", "packages").out()).isEmpty();

        host.program("kubelet", "exit 1");
        assertThat(node("at-hand", "packages").out())
                .as("a broken kubelet does not wait")
                .isEqualTo("kubelet is not there\n");
    }

    private HostScripts.Said node(String command, String... more) throws Exception {
        var arguments = new ArrayList<>(List.of(command, "1.20.2"));
        arguments.addAll(List.of(more));
        return host.run("worker-1", "deepsite-kubernetes-node", arguments.toArray(String[]::new));
    }

    @Test
    void packagesAreHeldAgainAfterTheMove() throws Exception {
        Files.createDirectories(folder.resolve("run"));
        var log = folder.resolve("log");
        for (var program : List.of("apt-get", "apt-mark", "systemctl", "crictl")) {
            host.program(program, "echo \"" + program + " $*\" >>" + log + "\n");
        }
        host.program("kubelet", "echo Kubernetes v1.20.2");
        host.program("kubeadm", """
                case "$*" in
                'version -o short') echo v1.20.2 ;;
                *) printf 'r/kube-apiserver:v1.20.2\\nr/kube-proxy:v1.20.2\\nr/pause:3.2\\nr/etcd:3\\n' ;;
                esac
                """);

        assertThat(host.run("worker-1", "deepsite-kubernetes-release", "prepare", "1.20.2")
                        .exit())
                .isZero();
        assertThat(host.run("worker-1", "deepsite-kubernetes-release", "kubelet", "1.20.2")
                        .exit())
                .isZero();

        assertThat(log).content().isEqualTo("""
                apt-get -qq update
                apt-mark unhold kubeadm
                apt-get -qq install -y --no-install-recommends -o Dpkg::Options::=--force-confold kubeadm
                apt-mark hold kubeadm
                crictl pull r/kube-proxy:v1.20.2
                crictl pull r/pause:3.2
                apt-mark unhold kubelet kubectl
                apt-get -qq install -y --no-install-recommends -o Dpkg::Options::=--force-confold kubelet kubectl
                apt-mark hold kubelet kubectl
                systemctl daemon-reload
                systemctl restart kubelet.service
                """);
    }
}
