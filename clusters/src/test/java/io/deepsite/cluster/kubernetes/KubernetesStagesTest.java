package io.deepsite.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.deepsite.TestSites;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KubernetesStagesTest {
    private static final String BRIDGE = "network: {plugin: bridge}\n";

    @Test
    void theFirstMachineMakesTheClusterAndTheOthersJoinOneByOne() {
        var site = KubernetesSite.site("1.29.3", 3, "endpoint: {virtualAddress: 10.64.0.250}");
        var stages = TestSites.stages(site, KubernetesSite.machines(3, 2, false));

        assertThat(stage(stages, "k8s.kubernetes_control_plane").hosts()).containsExactly("control-1");
        var joined = stage(stages, "k8s.joined_control_plane");
        assertThat(joined.hosts()).containsExactly("control-2", "control-3");
        assertThat(joined.batch()).isEqualTo(1);
        assertThat(joined.needs()).contains("k8s.kubernetes_control_plane", "k8s.api_endpoint");
        assertThat(stage(stages, "k8s.kubernetes_worker").needs()).contains("k8s.joined_control_plane");
    }

    @Test
    void workersMoveToAnotherReleaseAfterAllMachinesOfTheControlPlane() {
        var site = KubernetesSite.site("1.29.3", 3, "endpoint: {virtualAddress: 10.64.0.250}");
        var stages = TestSites.stages(site, KubernetesSite.machines(3, 2, false));

        var workers = stage(stages, "k8s.kubernetes_release");
        assertThat(workers.needs())
                .contains("k8s.kubernetes_control_plane", "k8s.joined_control_plane", "k8s.kubernetes_worker");
        assertThat(workers.variables())
                .containsOnlyKeys("control-1")
                .extractingByKey("control-1")
                .extracting("kubernetes_release_workers")
                .isEqualTo(List.of("worker-1", "worker-2"));
        assertThat(TestSites.stages(site, KubernetesSite.machines(3, 0, false)))
                .noneMatch(stage -> stage.role().equals("kubernetes_release"));
    }

    @Test
    void oneWorkerMoreChangesNoOthersPlaceInTheCluster() {
        var site = KubernetesSite.site("1.29.3", 1, BRIDGE);
        var before = TestSites.stages(site, KubernetesSite.machines(1, 2, true));
        var after = TestSites.stages(site, KubernetesSite.machines(1, 3, true));

        for (var name : List.of("k8s.kubernetes_control_plane", "k8s.kubernetes_worker", "k8s.kubernetes_node")) {
            assertThat(stage(after, name).variables())
                    .as(name)
                    .containsAllEntriesOf(stage(before, name).variables());
        }
        assertThat(stage(after, "k8s.kubernetes_network").variables().get("worker-1"))
                .extracting("kubernetes_network_others")
                .isEqualTo(List.of("10.64.0.11", "10.64.0.22", "10.64.0.23"));
    }

    @Test
    void machinesWithCardsGetTheirRuntimeAndLabels() {
        var site = KubernetesSite.site("1.29.3", 1, "");
        var machines = KubernetesSite.machines(1, 1, false);
        var card = new Machine.Gpu("nvidia", "Tesla K40m", "0000:02:00.0", "/dev/nvidia0");
        var withCard = List.of(machines.getFirst(), KubernetesSite.withGpus(machines.get(1), List.of(card, card)));

        var stages = TestSites.stages(site, withCard);

        assertThat(stage(stages, "k8s.nvidia_container_runtime").hosts()).containsExactly("worker-1");
        var labels =
                stage(stages, "k8s.kubernetes_gpu").variables().get("control-1").get("kubernetes_gpu_labels");
        assertThat(labels)
                .asInstanceOf(LIST)
                .contains(
                        Map.of("node", "worker-1", "label", "accelerator", "value", "nvidia-tesla-k40m"),
                        Map.of("node", "worker-1", "label", "nvidia.com/gpu.product", "value", "Tesla-K40m"),
                        Map.of("node", "worker-1", "label", "nvidia.com/gpu.count", "value", "2"));
        assertThat(TestSites.stages(site, machines))
                .noneMatch(stage -> stage.role().equals("kubernetes_gpu"));
    }

    @Test
    void aSharedCardIsOfferedSeveralTimes() {
        var plugin = new DevicePlugin(
                KubernetesSite.cluster(KubernetesSite.site("1.29.3", 1, "")).gpu());
        var shared = new DevicePlugin(
                new KubernetesGpu(plugin.settings().image(), "none", Optional.of(4), Optional.empty()));

        assertThat(plugin.objects()).doesNotContain("ConfigMap");
        assertThat(shared.objects()).contains("timeSlicing:", "replicas: 4", "name: CONFIG_FILE");
        assertThat(shared.replicas()).isEqualTo(4);
    }

    @Test
    void aGroupIsBoundByTheNameThatTheApiServerSees() {
        var site = KubernetesSite.site("1.29.3", 1, """
                oidc: {issuer: "https://iam.example.org", clientId: kubernetes, groupsClaim: groups, groupsPrefix: "lab:"}
                access: [{group: physics, role: edit, namespace: physics}, {user: zoe, role: view}]
                """);
        var objects = stage(TestSites.stages(site, KubernetesSite.machines(1, 1, false)), "k8s.kubernetes_access")
                .variables()
                .get("control-1")
                .get("kubernetes_access_objects")
                .toString();

        // alice of this site is in physics and may have a certificate; only the provider knows zoe.
        assertThat(objects)
                .contains("name: \"lab:physics\"", "name: physics\n", "name: \"https://iam.example.org#zoe\"")
                .doesNotContain("name: zoe")
                .startsWith("# object ClusterRoleBinding//deepsite:view:user-zoe\n");
    }

    /** Bindings of the same name would replace each other. */
    @Test
    void entitlementsThatDifferInASignOnlyAreBoundBoth() {
        var site = KubernetesSite.site("1.29.3", 1, """
                access:
                  - {group: "urn:geant:example.org:group:ops#iam", role: edit}
                  - {group: "urn:geant:example.org:group:ops%iam", role: edit}
                  - {group: physics, role: edit}
                oidc: {issuer: "https://iam.example.org/", clientId: kubernetes, groupsClaim: eduperson_entitlement}
                """);
        var layout = new KubernetesLayout(
                site, KubernetesSite.NAME, KubernetesSite.cluster(site), KubernetesSite.machines(1, 1, false));

        assertThat(layout.objects().access().lines().filter(line -> line.startsWith("# object ")))
                .hasSize(3)
                .doesNotHaveDuplicates()
                .contains("# object ClusterRoleBinding//deepsite:edit:group-physics");
    }

    @Test
    void aKubeconfigOfAUserNamesTheUsersGroups() {
        var site = KubernetesSite.site("1.29.3", 1, "");
        var machines = KubernetesSite.machines(1, 1, false);

        var layout = new KubernetesLayout(site, KubernetesSite.NAME, KubernetesSite.cluster(site), machines);

        assertThat(layout.kubeconfig(site, Optional.of(new Name("alice")), false))
                .containsExactly("/usr/local/sbin/deepsite-kubernetes-kubeconfig", "user", "alice", "physics");
    }

    @Test
    void aCommandOfAUserRunsWhereTheUsersGroupMay() {
        var site = KubernetesSite.site("1.29.3", 1, """
                access: [{user: zoe, role: view}, {group: physics, role: edit, namespace: lab}]
                oidc: {issuer: "https://iam.example.org", clientId: kubernetes, usernamePrefix: "lab:"}
                """);

        assertThat(commandPrefix(site, "alice"))
                .containsExactly("--as", "alice", "--as-group", "physics", "--namespace", "lab", "--");
        assertThat(commandPrefix(site, "zoe")).containsExactly("--as", "lab:zoe", "--");
    }

    private static List<String> commandPrefix(Site site, String user) {
        var prefix = TestSites.cluster(site, KubernetesSite.NAME)
                .commandPrefix(KubernetesSite.machines(1, 1, false), Optional.of(new Name(user)));
        return prefix.argv()
                .subList(prefix.argv().indexOf("--as"), prefix.argv().size());
    }

    @Test
    void containersAskTheirHostForNesting() {
        var site = KubernetesSite.site("1.29.3", 1, "");

        var wanted = TestSites.requirements(site);

        assertThat(wanted.of(new Name("worker")).nesting()).isTrue();
        assertThat(wanted.of(new Name("control")).minCpus()).isEqualTo(2);
        assertThat(wanted.flows())
                .contains(new Requirements.Flow(new Name("worker"), new Name("control"), "tcp", "6443"));
    }

    @Test
    void noMachineGetsTheVirtualAddress() {
        var site = KubernetesSite.site("1.29.3", 3, "endpoint: {virtualAddress: 10.64.0.250}");

        assertThat(TestSites.requirements(site).addresses()).containsExactly(IpAddress.parse("10.64.0.250"));
    }

    @Test
    void acceptanceAsksWhatIsAllowedAndWhatIsNot() {
        var site = KubernetesSite.site("1.20.2", 1, """
                authorization: {modes: [Node, RBAC, ABAC], policies: [{user: bob, resource: pods, readonly: true}]}
                access: [{group: physics, role: edit, namespace: physics}]
                """);

        var script = script(site);

        assertThat(script)
                .contains(
                        "request 'yes' 'deepsite-verify' 'physics' 'create pods' 'physics'",
                        "request 'no' 'deepsite-verify' 'physics' 'create pods' 'kube-system'",
                        "request 'yes' 'bob' '' 'list pods' 'default'",
                        "request 'no' 'bob' '' 'delete pods' 'default'");
    }

    private static String script(Site site) {
        var acceptance =
                TestSites.acceptance(site, KubernetesSite.machines(1, 2, true)).getFirst();
        return new TemplateRenderer(DeepsiteHome.find()).render(acceptance.template(), acceptance.variables());
    }

    private static Stage stage(List<Stage> stages, String name) {
        return stages.stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
