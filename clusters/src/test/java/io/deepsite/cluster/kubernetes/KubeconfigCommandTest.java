package io.deepsite.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.TestSites;
import io.deepsite.cluster.InvocationContext;
import io.deepsite.cluster.SiteAccess;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTarget;
import io.deepsite.site.Cluster;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command with the options as picocli reads them, on a control plane that answers as kubeadm's does. */
class KubeconfigCommandTest {
    private static final String ANSWER = """
            apiVersion: v1
            kind: Config
            clusters: [{name: k8s, cluster: {certificate-authority-data: AAAA, server: "https://10.64.0.11:6443"}}]
            contexts: [{name: kubernetes-admin@k8s, context: {cluster: k8s, user: kubernetes-admin}}]
            current-context: kubernetes-admin@k8s
            users: [{name: kubernetes-admin, user: {client-certificate-data: BBBB}}]
            """;

    private final StringBuilder printed = new StringBuilder();
    private String answer = ANSWER;
    private int exit;
    private List<String> asked = List.of();
    private Site site = KubernetesSite.site("1.29.3", 1, "");

    @TempDir
    private Path folder;

    @Test
    void printsWhatTheControlPlaneAnswers() {
        assertThat(run("k8s", "--user", "alice")).isZero();

        assertThat(printed).contains("name: demo-k8s", "server: \"https://10.64.0.11:6443\"");
        assertThat(asked).containsExactly("/usr/local/sbin/deepsite-kubernetes-kubeconfig", "user", "alice", "physics");
    }

    @Test
    void addsItToAFileAndKeepsTheFormerOne() throws IOException {
        var file = folder.resolve("config");
        var before = ANSWER.replace("k8s", "other");
        Files.writeString(file, before);

        assertThat(run("k8s", "-o", file.toString(), "--keep-current-context")).isZero();

        assertThat(printed).isEmpty();
        assertThat(file)
                .content()
                .contains("{name: other,", "name: demo-k8s\n", "current-context: kubernetes-admin@other\n");
        assertThat(folder.resolve("config.backup")).hasContent(before);
    }

    @Test
    void refusesAClusterOfAnotherKind() {
        site = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: demo
                        provider:
                          lxd: {}
                        machines:
                          head: {image: debian/12}
                          node: {image: debian/12}
                        clusters:
                          hpc: {kind: slurm, controller: head, compute: [node]}
                        """, Map.of()).orFail();

        assertThat(refused("hpc")).isEqualTo(Code.NOT_WITH_KIND);
    }

    @Test
    void refusesAUserBesideALoginOfEachUser() {
        assertThat(refused("k8s", "--oidc", "--user", "alice")).isEqualTo(Code.COMMAND_LINE);
    }

    @Test
    void passesOnNothingThatIsNoKubeconfigOfDeepsite() {
        answer = ANSWER.replace("client-certificate-data", "tokenFile");
        assertThat(refused("k8s")).isEqualTo(Code.NOT_PROVED);

        answer = ANSWER;
        exit = 1;
        assertThat(refused("k8s")).isEqualTo(Code.NOT_PROVED);
        assertThat(printed).isEmpty();
    }

    @Test
    void aClusterWithAnIdentityProviderHasAFileForAllItsUsers() {
        var name = new Name("k8s");
        var kind = new KubernetesKind();
        assertThat(kind.loginFile(name, (Kubernetes)
                        Objects.requireNonNull(site.clusters().get(name))))
                .isEmpty();
        site = KubernetesSite.site("1.29.3", 1, "oidc: {issuer: \"https://iam.example.org\", clientId: kubernetes}");
        answer = ANSWER.replaceFirst(
                "user: \\{client-certificate-data: BBBB}",
                "user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: kubectl, interactiveMode: IfAvailable,"
                        + " args: [oidc-login, get-token, \"--oidc-issuer-url=https://iam.example.org\","
                        + " --oidc-client-id=kubernetes]}}");

        var file = kind.loginFile(name, (Kubernetes)
                        Objects.requireNonNull(site.clusters().get(name)))
                .orElseThrow();

        assertThat(file.name()).isEqualTo("kubeconfig");
        assertThat(file.text().apply(new Opened()))
                .contains("name: demo-k8s", "oidc-login", "https://10.64.0.11:6443")
                .doesNotContain("client-key-data");
        assertThat(asked)
                .containsExactly(
                        "/usr/local/sbin/deepsite-kubernetes-kubeconfig",
                        "oidc",
                        "https://iam.example.org",
                        "kubernetes");
    }

    private Code refused(String... words) {
        var failure = catchThrowableOfType(Failure.class, () -> run(words));
        return failure.diagnostics().getFirst().code();
    }

    private int run(String... words) {
        var command = new KubeconfigCommand();
        new CommandLine(command).parseArgs(words);
        return command.run(new Typed());
    }

    private final class Typed implements InvocationContext {
        @Override
        public int withSite(ToIntFunction<SiteAccess> work) {
            return work.applyAsInt(new Opened());
        }

        @Override
        public Name name(String typed) {
            return new Name(typed);
        }

        @Override
        public boolean json() {
            return false;
        }

        @Override
        public void print(String text) {
            printed.append(text);
        }

        @Override
        public void printJson(Object value) {
            throw new AssertionError("JSON was not asked for");
        }

        @Override
        public void printError(String text) {
            throw new AssertionError(text);
        }

        @Override
        public void say(String text) {
            throw new AssertionError(text);
        }

        @Override
        public String bold(String text) {
            return text;
        }
    }

    private final class Opened implements SiteAccess {
        @Override
        public Site site() {
            return site;
        }

        @Override
        public List<Machine> machines() {
            return KubernetesSite.machines(1, 2, false);
        }

        @Override
        public InstantSource clock() {
            return InstantSource.system();
        }

        @Override
        public RemoteHost connect(String machine) {
            assertThat(machine).isEqualTo("control-1");
            return new ControlPlane();
        }

        @Override
        public Cluster cluster(Name name) {
            return Objects.requireNonNull(site.clusters().get(name));
        }
    }

    private final class ControlPlane implements RemoteHost {
        @Override
        public SshTarget target() {
            throw new AssertionError("the target is not asked for");
        }

        @Override
        public int exec(
                List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit) {
            asked = argv;
            try {
                stdout.write(answer.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return exit;
        }

        @Override
        public void close() {}
    }
}
