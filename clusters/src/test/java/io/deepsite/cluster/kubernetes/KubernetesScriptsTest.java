package io.deepsite.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.HostScripts;
import io.deepsite.provider.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Error messages of the scripts on the machines; stand-ins of kubectl and others give set answers. */
class KubernetesScriptsTest {
    private static final List<Machine> MACHINES = KubernetesSite.machines(1, 1, true);

    @TempDir
    private Path folder;

    private HostScripts host;

    @BeforeEach
    void scripts() {
        host = new HostScripts(folder, KubernetesSite.site("1.20.2", 1, "network: {plugin: bridge}"), MACHINES);
    }

    @Test
    void aDrainThatDoesNotEndNamesPodsAndBudgets() throws Exception {
        host.program("kubectl", """
                case "$*" in
                *' drain '*) echo 'error: global timeout reached: 5s' >&2; exit 1 ;;
                *'get pods'*) printf 'ReplicaSet physics/solver-1\\nDaemonSet kube-system/kube-proxy-x\\nNode kube-system/static\\n' ;;
                *poddisruptionbudgets*) printf '0 physics/solver\\n1 physics/other\\n' ;;
                *metadata.name*) echo worker-1 ;;
                *'type=="Ready"'*) echo True ;;
                esac
                """);

        var said = host.run("control-1", "deepsite-kubernetes-drain", "drain", "worker-1", "5");

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.err()).isEqualTo("""
                error: global timeout reached: 5s
                worker-1 is not drained after 5 s and stays cordoned. Remaining pods: physics/solver-1.
                Disruption budgets that allow no eviction: physics/solver.
                """);
    }

    @Test
    void aNodeThatDoesNotAnswerIsNotWaitedFor() throws Exception {
        host.program("kubectl", """
                case "$*" in
                *' drain '*) exit 9 ;;
                *metadata.name*) echo worker-1 ;;
                *'type=="Ready"'*) echo Unknown ;;
                esac
                """);

        var said = host.run("control-1", "deepsite-kubernetes-drain", "drain", "worker-1", "5");

        assertThat(said.exit()).isZero();
        assertThat(said.out()).contains("worker-1 does not answer");
    }

    @Test
    void aNodeThatTheClusterForgotIsNoMember() throws Exception {
        Files.writeString(folder.resolve("joined"), "");
        Files.writeString(folder.resolve("kubelet.conf"), "");

        host.program("kubectl", "echo 'Error from server (NotFound): nodes \"worker-1\" not found' >&2; exit 1");
        assertThat(host.run("worker-1", "deepsite-kubernetes-worker", "check").exit())
                .isEqualTo(1);
        host.program("kubectl", "echo 'The connection to the server 10.64.0.11:6443 was refused' >&2; exit 1");
        assertThat(host.run("worker-1", "deepsite-kubernetes-worker", "check").exit())
                .isZero();
        host.program("kubectl", "echo node/worker-1");
        assertThat(host.run("worker-1", "deepsite-kubernetes-worker", "check").exit())
                .isZero();
    }

    @Test
    void aBindingThatIsNoLongerWantedIsFoundAndDeleted() throws Exception {
        var file = Files.writeString(folder.resolve("access.yaml"), "# object RoleBinding/physics/kept\n");
        host.program("kubectl", """
                case "$*" in
                *' delete '*) echo "$*" >>%s/deleted ;;
                *'get clusterrolebindings,rolebindings'*) printf 'RoleBinding/physics/kept\\nClusterRoleBinding//gone\\n' ;;
                esac
                """.formatted(folder));

        var check = host.run("control-1", "deepsite-kubernetes-objects", "check", "access", file.toString());
        var apply = host.run("control-1", "deepsite-kubernetes-objects", "apply", "access", file.toString());

        assertThat(check.exit()).isEqualTo(1);
        assertThat(check.out()).isEqualTo("no longer configured: ClusterRoleBinding//gone\n");
        assertThat(apply.exit()).isZero();
        assertThat(folder.resolve("deleted"))
                .content()
                .contains("delete ClusterRoleBinding gone")
                .doesNotContain("kept");
    }

    @Test
    void aMachineThatIsGoneLeavesNoMemberOfEtcdBehind() throws Exception {
        host.program("kubectl", """
                case "$*" in
                *'member list'*) printf 'a1, started, control-1, https://10.64.0.11:2380, https://10.64.0.11:2379, false\n'
                    printf 'b2, started, control-2, https://10.64.0.12:2380, https://10.64.0.12:2379, false\n'
                    printf 'c3, unstarted, , https://10.64.0.32:2380, , false\n' ;;
                *) echo "$*" | sed -n 's/.* member remove /removed /p; s/.* delete node /deleted /p' ;;
                esac
                """);

        var said = host.run("control-1", "deepsite-kubernetes-member", "forget", "control-2", "10.64.0.32");

        assertThat(said.out()).isEqualTo("""
                deleted control-2 --ignore-not-found
                removed b2
                removed c3
                """);
    }

    @Test
    void anApiServerWithoutALeaderRestartsWhereEtcdHasTwoMembers() throws Exception {
        var three = apiServer();
        host.program("kubectl", etcdOf(3));
        assertThat(host.run("control-1", "deepsite-kubernetes-member", "settle").exit())
                .isZero();
        assertThat(three.isAlive()).isTrue();

        host.program("kubectl", etcdOf(2));
        assertThat(host.run("control-1", "deepsite-kubernetes-member", "settle").exit())
                .isZero();
        three.waitFor();
    }

    /** A process with an API server's arguments. */
    private static Process apiServer() throws IOException {
        return started(new ProcessBuilder(
                "/bin/sh", "-c", "echo running; read -r _", "kube-apiserver", "--advertise-address=10.64.0.11"));
    }

    /** Waits for its first line: a process exists before /proc shows its name and arguments. */
    private static Process started(ProcessBuilder program) throws IOException {
        var process = program.start();
        assertThat(process.inputReader().readLine()).isEqualTo("running");
        return process;
    }

    private static String etcdOf(int members) {
        return """
                case "$*" in
                *'member list'*) for n in $(seq %d); do echo "a$n, started, control-$n"; done ;;
                *readyz*) printf ok ;;
                esac
                """.formatted(members);
    }

    @Test
    void aCommandOfAUserIsAskedForAsThatUser() throws Exception {
        host.program("kubectl", "printf '<%s>' \"$@\"");

        var said = host.run(
                "control-1",
                "deepsite-kubernetes-run",
                "--image busybox:1.36 --as alice --as-group physics --namespace lab -- sh -c".split(" "));

        assertThat(said.out())
                .contains("<--as><alice><--as-group><physics><--as-group><system:authenticated><--namespace><lab><run>")
                .endsWith("<--image=busybox:1.36><--command><--><sh><-c>");
    }

    @Test
    void aKubeconfigIsFreeOfWhatKubeadmWarnsOf() throws Exception {
        host.program("kubeadm", """
                case "$*" in
                *--help) exit 1 ;;
                *) echo '[endpoint] WARNING: port specified in controlPlaneEndpoint overrides bindPort'
                    echo 'apiVersion: v1'
                    echo "called: $*" ;;
                esac
                """);

        var said = host.run("control-1", "deepsite-kubernetes-kubeconfig", "user", "alice", "physics", "ops");

        assertThat(said.exit()).isZero();
        assertThat(said.out())
                .startsWith("apiVersion: v1\ncalled: alpha kubeconfig user --org physics --org ops --config ")
                .endsWith(" --client-name alice\n");
    }

    /** As kubectl, the stand-in ends no line that its template does not end; without a line break, read fails. */
    @Test
    void aKubeconfigForALoginNamesTheClusterAndTheIdentityProvider() throws Exception {
        host.program("kubectl", """
                case "$*" in
                *'{"\\n"}') printf 'QUJD https://10.0.0.1:6443\\n' ;;
                *) printf 'QUJD https://10.0.0.1:6443' ;;
                esac
                """);

        var said =
                host.run("control-1", "deepsite-kubernetes-kubeconfig", "oidc", "https://iam.example.org/", "cluster");

        assertThat(said.exit()).as(said.err()).isZero();
        assertThat(said.out())
                .contains("certificate-authority-data: QUJD\n    server: https://10.0.0.1:6443\n")
                .contains("- --oidc-issuer-url=https://iam.example.org/\n      - --oidc-client-id=cluster\n");
    }

    @Test
    void rangesOfPodsFollowFromAddresses() throws Exception {
        host.program("ip", "exit 0");
        host.program("iptables", "exit 0");

        var said = host.run("control-1", "deepsite-pod-network", "check");

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.out()).contains("no route to 10.244.21.0/24 by 10.64.0.21");
    }

    @Test
    void flagsAreComparedWithTheRunningApiServer() throws Exception {
        Files.createDirectories(folder.resolve("manifests"));
        Files.writeString(folder.resolve("manifests/kube-apiserver.yaml"), """
                spec:
                  containers:
                  - command:
                    - kube-apiserver
                    - --advertise-address=10.64.0.11
                    - --authorization-mode=Node,RBAC
                    image: k8s.gcr.io/kube-apiserver:v1.20.2
                """);
        Files.writeString(folder.resolve("manifests.sha256"), "");
        host.program("kube-apiserver", "echo running; read word");
        var server = started(new ProcessBuilder(
                folder.resolve("kube-apiserver").toString(),
                "--advertise-address=10.64.0.11",
                "--authorization-mode=Node,RBAC"));
        try {
            assertThat(host.run("control-1", "deepsite-kubernetes-in-force").out())
                    .isEmpty();
            assertThat(inForce("--authorization-mode=Node,RBAC")).isEmpty();
            assertThat(inForce("--authorization-mode=Node,RBAC --oidc-client-id=kubernetes"))
                    .isEqualTo("not in force: --oidc-client-id=kubernetes\n");
            assertThat(inForce("--authorization-mode=Node,RBAC,ABAC")).isEqualTo("""
                    not in force: --authorization-mode=Node,RBAC,ABAC
                    in force, not asked: --authorization-mode=Node,RBAC
                    """);
        } finally {
            server.getOutputStream().close();
            server.waitFor();
        }
    }

    /** The probe's command, with the flags of the current site.yaml. */
    private String inForce(String flags) throws Exception {
        var said = host.run("control-1", "deepsite-kubernetes-in-force", "flags", flags);
        assertThat(said.exit()).isEqualTo(said.out().isEmpty() ? 0 : 1);
        return said.out();
    }

    @Test
    void aNodeThatIsLabelledByHandLosesItsLabels() throws Exception {
        host.program("kubectl", """
                case "$*" in
                *' get nodes '*) printf 'worker-1\\nworker-2\\n' ;;
                *' label node '*) echo "$*" >>%s/labelled ;;
                *' get node '*) echo true ;;
                esac
                """.formatted(folder));
        var card = new Machine.Gpu("nvidia", "Tesla K40m", "0000:02:00.0", "/dev/nvidia0");
        var machines = List.of(MACHINES.getFirst(), KubernetesSite.withGpus(MACHINES.get(1), List.of(card)));
        var withCards = new HostScripts(folder, KubernetesSite.site("1.20.2", 1, ""), machines);

        var check = withCards.run("control-1", "deepsite-kubernetes-labels", "check");
        var apply = withCards.run("control-1", "deepsite-kubernetes-labels", "apply");

        assertThat(check.exit()).isEqualTo(1);
        assertThat(check.out())
                .contains("worker-2: it has a GPU label, but no GPUs in site.yaml")
                .doesNotContain("worker-1: it is labelled");
        assertThat(apply.exit()).isZero();
        assertThat(folder.resolve("labelled"))
                .content()
                .contains(
                        "label node worker-2 accelerator- nvidia.com/gpu.present-", "label node worker-1 --overwrite");
    }
}
