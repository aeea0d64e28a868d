package io.deepsite.cluster.kubernetes;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.RoleFault;
import io.deepsite.cluster.HostScripts;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults that only a host's script can detect; golden messages hold what the admin reads. A stand-in of kubeadm prints
 * what the real one does.
 */
class KubernetesToldFaultsTest {
    private static final List<Machine> MACHINES = KubernetesSite.machines(1, 1, true);
    private static final String RELEASE = "deepsite-kubernetes-release";
    private static final String PREFLIGHT =
            "error execution phase preflight: [preflight] Some fatal errors occurred:\\n";

    @TempDir
    private Path folder;

    private HostScripts host;

    @BeforeEach
    void scripts() throws Exception {
        host = new HostScripts(folder, KubernetesSite.site("1.20.2", 1, "install: {given: true}"), MACHINES);
        host.program("ss", "exit 0");
        host.program("journalctl", "exit 0");
        Files.writeString(folder.resolve("admin.conf"), "");
    }

    @Test
    void aPortInUse() throws Exception {
        kubeadmFails(PREFLIGHT
                + "\\t[ERROR Port-6443]: Port 6443 is in use\\n\\t[ERROR Port-10250]: Port 10250 is in use\\n");
        host.program("ss", """
                case "$*" in
                *6443*) echo 'LISTEN 0 511 *:6443 *:* users:(("nginx",pid=812,fd=6),("nginx",pid=811,fd=6))' ;;
                esac
                """);

        told(
                "kubernetes/DS3201-port-of-the-api-server",
                "kubernetes_control_plane",
                "control-1",
                "deepsite-kubernetes-member",
                "init");
    }

    @Test
    void anImageThatKubeadmCannotPull() throws Exception {
        kubeadmFails(
                PREFLIGHT
                        + "\\t[ERROR ImagePull]: failed to pull image k8s.gcr.io/kube-apiserver:v1.20.2: output: time=\"now\""
                        + " level=fatal msg=\"pulling image: rpc error: code = Unknown desc = failed to pull and unpack image"
                        + " \\\\\"k8s.gcr.io/kube-apiserver:v1.20.2\\\\\": dial tcp: lookup k8s.gcr.io: no such host\"\\n, error: exit status 1\\n");

        told(
                "kubernetes/DS3202-image-of-the-api-server",
                "kubernetes_control_plane",
                "control-1",
                "deepsite-kubernetes-member",
                "init");
    }

    @Test
    void anImageThatKubeletCannotPull() throws Exception {
        kubeadmFails("error execution phase wait-control-plane: timed out waiting for the condition\\n");
        host.program("journalctl", """
                cat <<'END'
                E1121 remote_runtime.go:116] RunPodSandbox from runtime service failed: rpc error: code = Unknown desc = failed to get sandbox image "k8s.gcr.io/pause:3.9": failed to pull image "k8s.gcr.io/pause:3.9": failed to pull and unpack image "k8s.gcr.io/pause:3.9": failed to resolve reference "k8s.gcr.io/pause:3.9": dial tcp: i/o timeout
                END
                """);

        told(
                "kubernetes/DS3202-image-of-the-sandbox",
                "kubernetes_control_plane",
                "control-1",
                "deepsite-kubernetes-member",
                "init");
    }

    @Test
    void aTicketThatHasExpired() throws Exception {
        kubeadmFails(
                "error execution phase preflight: couldn't validate the identity of the API Server: could not find a JWS"
                        + " signature in the cluster-info ConfigMap for token ID \"abcdef\"\\n");

        told(
                "kubernetes/DS3203-ticket-expired",
                "kubernetes_worker",
                "worker-1",
                "deepsite-kubernetes-worker",
                "join",
                now(0));
    }

    @Test
    void swapOfTheHostOfAContainer() throws Exception {
        Files.createDirectories(folder.resolve("proc"));
        Files.writeString(folder.resolve("proc/swaps"), """
                Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority
                /dev/sda2                               partition\t8388604\t\t0\t\t-2
                """);

        told(
                "kubernetes/DS3204-host-of-a-container-swaps",
                "kubernetes_node",
                "worker-1",
                "deepsite-kubernetes-node",
                "swap-of-host");
    }

    @Test
    void aClockThatIsBehind() throws Exception {
        var said = host.run("worker-1", "deepsite-kubernetes-worker", "join", now(7200));

        reads(
                "kubernetes/DS3205-clock-behind",
                "kubernetes_worker",
                "worker-1",
                said.err().replaceAll("7\\d\\d\\d s", "7200 s"));
        assertThat(said.exit()).isEqualTo(1);
    }

    @Test
    void aHostOfAnotherRelease() throws Exception {
        host.program("kubeadm", "echo v1.20.2");
        host.program("kubelet", "echo Kubernetes v1.19.16");

        told(
                "kubernetes/DS3206-older-kubelet",
                "kubernetes_node",
                "worker-1",
                "deepsite-kubernetes-node",
                "release",
                "1.20.2");
    }

    @Test
    void anApiServerThatIsNewerThanSiteYaml() throws Exception {
        cluster("v1.21.0", "control-1 v1.20.2");

        told("kubernetes/DS3290-older-release", "kubernetes_control_plane", "control-1", RELEASE, "prepare", "1.20.2");
    }

    @Test
    void aKubeletThatIsNewerThanSiteYaml() throws Exception {
        cluster("v1.20.2", "control-1 v1.20.2\nworker-1 v1.21.3");

        told("kubernetes/DS3291-newer-kubelet", "kubernetes_control_plane", "control-1", RELEASE, "prepare", "1.21.0");
    }

    @Test
    void aKubeletThatAnEarlierMoveLeftBehind() throws Exception {
        cluster("v1.21.0", "control-1 v1.21.0\nworker-1 v1.20.2");

        told("kubernetes/DS3292-worker-behind", "kubernetes_control_plane", "control-1", RELEASE, "prepare", "1.22.17");
    }

    @Test
    void aKubeletThatTheAdministratorHasToInstall() throws Exception {
        cluster("v1.21.0", "");
        host.program("kubelet", "echo Kubernetes v1.20.2");

        told("kubernetes/DS3206-kubelet-in-its-turn", "kubernetes_release", "worker-1", RELEASE, "kubelet", "1.21.0");
    }

    /** @param nodes name and kubelet of each node */
    private void cluster(String apiServer, String nodes) throws Exception {
        Files.createDirectories(folder.resolve("run"));
        host.program("kubectl", """
                case "$*" in
                *'--raw /version'*) printf '{\\n  "major": "1",\\n  "gitVersion": "%s",\\n' ;;
                *nodeInfo*) echo '%s' ;;
                esac
                """.formatted(apiServer, nodes));
    }

    @Test
    void aHostWithFewerCardsThanSiteYamlSays() throws Exception {
        var card = new Machine.Gpu("nvidia", "Tesla K40m", "0000:02:00.0", "/dev/nvidia0");
        var machines = List.of(MACHINES.getFirst(), KubernetesSite.withGpus(MACHINES.get(1), List.of(card, card)));
        host = new HostScripts(folder, KubernetesSite.site("1.20.2", 1, ""), machines);
        host.program("nvidia-container-cli", "printf 'NVRM version:   535.54.03\\n\\nDevice Index:   0\\n'");

        told("kubernetes/DS3207-one-card-of-two", "nvidia_container_runtime", "worker-1", "deepsite-nvidia-cards");

        host.program("nvidia-container-cli", "printf 'Device Index:   0\\nDevice Index:   1\\n'");
        assertThat(host.run("worker-1", "deepsite-nvidia-cards").exit()).isZero();
    }

    @Test
    void whatDeepsiteDoesNotKnowStaysInKubeadmsWords() throws Exception {
        kubeadmFails("error: something new\\n");

        var said = host.run("control-1", "deepsite-kubernetes-member", "init");

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.err()).isEqualTo("error: something new\n");
        assertThat(RoleFault.in(said.err())).isEmpty();
        assertThat(RoleFault.in("FAULT\tDS0000\twhy\tfix")).isEmpty();
    }

    private void kubeadmFails(String words) throws Exception {
        host.program("kubeadm", "printf '" + words.replace("'", "'\\''") + "' >&2\nexit 1\n");
    }

    private static String now(int ahead) {
        return String.valueOf(Instant.now().plusSeconds(ahead).getEpochSecond());
    }

    private void told(String golden, String role, String machine, String script, String... arguments) throws Exception {
        var said = host.run(machine, script, arguments);

        assertThat(said.exit()).isEqualTo(1);
        reads(golden, role, machine, said.err());
    }

    private static void reads(String golden, String role, String machine, String words) {
        assertReads(golden, () -> {
            throw new Failure(RoleFault.in("non-zero return code\n" + words).stream()
                    .map(fault -> fault.diagnostic(role, machine, Path.of("ansible.log")))
                    .toList());
        });
    }
}
