package io.deepsite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Item;
import io.deepsite.provider.Machine;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts on the machines say when something is wrong; kubectl and the like are stand-ins that answer as told. */
class KubernetesScriptsTest {
    private static final List<Machine> MACHINES = KubernetesSite.machines(1, 1, true);

    @TempDir
    private Path folder;

    private record Said(int exit, String out, String err) {}

    @Test
    void aDrainThatDoesNotEndNamesPodsAndBudgets() throws Exception {
        program("kubectl", """
                case "$*" in
                *' drain '*) echo 'error: global timeout reached: 5s' >&2; exit 1 ;;
                *'get pods'*) printf 'ReplicaSet physics/solver-1\\nDaemonSet kube-system/kube-proxy-x\\nNode kube-system/static\\n' ;;
                *poddisruptionbudgets*) printf '0 physics/solver\\n1 physics/other\\n' ;;
                *metadata.name*) echo worker-1 ;;
                *'type=="Ready"'*) echo True ;;
                esac
                """);

        var said = run("control-1", "deepsite-kubernetes-drain", "drain", "worker-1", "5");

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.err()).isEqualTo("""
                error: global timeout reached: 5s
                worker-1 is not free after 5 s and stays cordoned. Pods that are still there: physics/solver-1.
                Disruption budgets that allow no eviction: physics/solver.
                """);
    }

    @Test
    void aNodeThatDoesNotAnswerIsNotWaitedFor() throws Exception {
        program("kubectl", """
                case "$*" in
                *' drain '*) exit 9 ;;
                *metadata.name*) echo worker-1 ;;
                *'type=="Ready"'*) echo Unknown ;;
                esac
                """);

        var said = run("control-1", "deepsite-kubernetes-drain", "drain", "worker-1", "5");

        assertThat(said.exit()).isZero();
        assertThat(said.out()).contains("worker-1 does not answer");
    }

    @Test
    void aClockThatIsBehindIsToldBeforeTheJoin() throws Exception {
        program("kubeadm", "echo joined");

        var late = String.valueOf(Instant.now().plusSeconds(7200).getEpochSecond());
        var said = run("worker-1", "deepsite-kubernetes-worker", "join", late);

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.out()).isEmpty();
        assertThat(said.err())
                .matches("(?s)The clock of worker-1 is -7\\d\\d\\d s ahead of that of the control plane.*");
    }

    @Test
    void aNodeThatTheClusterForgotIsNoMember() throws Exception {
        Files.writeString(folder.resolve("joined"), "");
        Files.writeString(folder.resolve("kubelet.conf"), "");

        program("kubectl", "echo 'Error from server (NotFound): nodes \"worker-1\" not found' >&2; exit 1");
        assertThat(run("worker-1", "deepsite-kubernetes-worker", "check").exit())
                .isEqualTo(1);
        program("kubectl", "echo 'The connection to the server 10.64.0.11:6443 was refused' >&2; exit 1");
        assertThat(run("worker-1", "deepsite-kubernetes-worker", "check").exit())
                .isZero();
        program("kubectl", "echo node/worker-1");
        assertThat(run("worker-1", "deepsite-kubernetes-worker", "check").exit())
                .isZero();
    }

    @Test
    void aBindingThatIsNoLongerWantedIsFoundAndDeleted() throws Exception {
        var file = Files.writeString(folder.resolve("access.yaml"), "# object RoleBinding/physics/kept\n");
        program("kubectl", """
                case "$*" in
                *' delete '*) echo "$*" >>%s/deleted ;;
                *'get clusterrolebindings,rolebindings'*) printf 'RoleBinding/physics/kept\\nClusterRoleBinding//gone\\n' ;;
                esac
                """.formatted(folder));

        var check = run("control-1", "deepsite-kubernetes-objects", "check", "access", file.toString());
        var apply = run("control-1", "deepsite-kubernetes-objects", "apply", "access", file.toString());

        assertThat(check.exit()).isEqualTo(1);
        assertThat(check.out()).isEqualTo("no longer wanted: ClusterRoleBinding//gone\n");
        assertThat(apply.exit()).isZero();
        assertThat(folder.resolve("deleted"))
                .content()
                .contains("delete ClusterRoleBinding gone")
                .doesNotContain("kept");
    }

    @Test
    void rangesOfPodsFollowFromAddresses() throws Exception {
        program("ip", "exit 0");
        program("iptables", "exit 0");

        var said = run("control-1", "deepsite-pod-network", "check");

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.out()).contains("no route to 10.244.21.0/24 by 10.64.0.21");
    }

    private void program(String name, String body) throws IOException {
        var file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + body);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** Runs a script of a host, which sees this folder where it looks for Kubernetes' own files. */
    private Said run(String host, String script, String... arguments) throws Exception {
        var text = script(host, "/usr/local/sbin/" + script)
                .replace("/etc/kubernetes/deepsite/", folder + "/")
                .replace("/etc/kubernetes/", folder + "/");
        var argv = new ArrayList<>(List.of(
                "/bin/sh", Files.writeString(folder.resolve(script), text).toString()));
        argv.addAll(List.of(arguments));
        var out = folder.resolve("out");
        var err = folder.resolve("err");
        var builder = new ProcessBuilder(argv)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        int exit = builder.start().waitFor();
        return new Said(
                exit, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }

    private static String script(String host, String path) {
        var site = KubernetesSite.site("1.20.2", 1, "network: {plugin: bridge}");
        var machine = MACHINES.stream()
                .filter(each -> each.name().equals(host))
                .findFirst()
                .orElseThrow();
        var home = DeepsiteHome.find();
        var roles = new ContractRenderer(home, new TemplateRenderer(home));
        for (var stage : SiteStages.of(site, MACHINES)) {
            var variables = stage.variables().get(host);
            if (variables == null || !stage.role().startsWith("kubernetes_")) {
                continue;
            }
            var rendered = roles.render(stage.role(), machine, new SiteScope(MACHINES), variables);
            for (var item : rendered.contract().items()) {
                if (item instanceof Item.File file && file.path().equals(path)) {
                    return rendered.texts().get(file.body());
                }
            }
        }
        throw new AssertionError("no role of " + host + " has " + path);
    }
}
