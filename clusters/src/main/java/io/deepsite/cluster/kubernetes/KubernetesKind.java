package io.deepsite.cluster.kubernetes;

import static io.deepsite.cluster.ClusterStages.stage;
import static io.deepsite.cluster.ClusterStages.variables;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterCommand;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.LocalFile;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Digests;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.load.CheckContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A kubeadm Kubernetes cluster: one or three machines with API server and etcd, workers that join them, a pod network,
 * and API objects for users and GPUs.
 */
public final class KubernetesKind implements ClusterKind<Kubernetes> {
    /** kubeadm refuses less. */
    private static final Size CONTROL_PLANE_MEMORY = Size.parse("1700MiB");

    private static final int CONTROL_PLANE_CPUS = 2;
    private static final Size WORKER_MEMORY = Size.parse("512MiB");
    static final String PUBLIC_PACKAGES = "pkgs.k8s.io";
    private static final String ETCD_PORTS = "2379-2380";
    private static final String KUBELET_PORT = "10250";
    private static final String NODE_PORTS = "30000-32767";
    private static final String VXLAN_PORT = "8472";
    private static final String API_PORT = String.valueOf(KubeadmConfig.API_PORT);
    private static final String VIRTUAL_PORT = String.valueOf(KubeadmConfig.VIRTUAL_PORT);

    @Override
    public String name() {
        return "kubernetes";
    }

    @Override
    public Class<Kubernetes> model() {
        return Kubernetes.class;
    }

    @Override
    public void check(CheckContext context, Name name, Kubernetes cluster) {
        new KubernetesChecks(context, name, cluster).run();
    }

    @Override
    public SortedMap<String, String> madeWith(Kubernetes cluster) {
        return KubernetesLayout.madeWith(cluster);
    }

    @Override
    public Optional<Refusal> refuses(Name name, Kubernetes cluster, String key, String made) {
        return key.equals(KubernetesLayout.VERSION)
                ? KubernetesUpgrade.refusal(name, KubernetesVersion.parse(made), cluster.version())
                : ClusterKind.super.refuses(name, cluster, key, made);
    }

    @Override
    public Requirements requirements(Site site, Name name, Kubernetes cluster) {
        var groups = new LinkedHashMap<Name, Requirements.Group>();
        cluster.workers()
                .forEach(group -> groups.put(
                        group, new Requirements.Group(true, List.of(), List.of(), 1, Optional.of(WORKER_MEMORY))));
        groups.put(
                cluster.controlPlane(),
                new Requirements.Group(
                        true, List.of(), List.of(), CONTROL_PLANE_CPUS, Optional.of(CONTROL_PLANE_MEMORY)));
        var flows = new ArrayList<Flow>();
        flows.add(new Flow(cluster.controlPlane(), cluster.controlPlane(), "tcp", ETCD_PORTS));
        for (var from : cluster.groups()) {
            flows.add(new Flow(from, cluster.controlPlane(), "tcp", API_PORT));
            if (cluster.endpoint().virtualAddress().isPresent()) {
                flows.add(new Flow(from, cluster.controlPlane(), "tcp", VIRTUAL_PORT));
            }
            flows.add(new Flow(cluster.controlPlane(), from, "tcp", KUBELET_PORT));
            for (var to : cluster.groups()) {
                flows.add(new Flow(from, to, "tcp", NODE_PORTS));
                if (cluster.network().plugin().equals("flannel")) {
                    flows.add(new Flow(from, to, "udp", VXLAN_PORT));
                }
            }
        }
        return new Requirements(
                groups,
                flows,
                cluster.endpoint().virtualAddress().stream().toList(),
                List.of(KubernetesChecks.controlPlanes(name, cluster)));
    }

    @Override
    public List<Stage> stages(Site site, Name name, Kubernetes cluster, List<Machine> machines) {
        var layout = new KubernetesLayout(site, name, cluster, machines);
        var all = layout.all();
        var stages = new ArrayList<Stage>();
        var gpuHosts = all.stream().filter(machine -> !machine.gpus().isEmpty()).toList();
        var beforeRuntime = new ArrayList<>(List.of(SiteStages.HOSTS, SiteStages.USERS));
        if (!gpuHosts.isEmpty()) {
            stages.add(stage(name, "nvidia_container_runtime", gpuHosts, KubernetesKind::cards, beforeRuntime));
            beforeRuntime.add(name + ".nvidia_container_runtime");
        }
        stages.add(stage(name, "container_runtime", all, machine -> runtime(cluster, machine), beforeRuntime));
        stages.add(stage(
                name,
                "kubernetes_node",
                all,
                machine -> node(cluster, layout.controlPlane().contains(machine)),
                List.of(name + ".container_runtime")));
        var beforeMembers = new ArrayList<>(List.of(name + ".kubernetes_node"));
        if (layout.isBridge()) {
            stages.add(stage(name, "kubernetes_network", all, layout::network, List.of(name + ".kubernetes_node")));
            beforeMembers.add(name + ".kubernetes_network");
        }
        cluster.endpoint().virtualAddress().ifPresent(address -> {
            stages.add(stage(
                    name,
                    "api_endpoint",
                    layout.controlPlane(),
                    machine -> layout.endpoint(machine, address.toString()),
                    List.of(name + ".kubernetes_node")));
            beforeMembers.add(name + ".api_endpoint");
        });
        stages.add(
                stage(name, "kubernetes_control_plane", List.of(layout.first()), layout::controlPlane, beforeMembers));
        beforeMembers.add(name + ".kubernetes_control_plane");
        if (layout.controlPlane().size() > 1) {
            var others = layout.controlPlane().subList(1, layout.controlPlane().size());
            // One at a time: each adds a member to etcd.
            stages.add(new Stage(
                    name + ".joined_control_plane",
                    "kubernetes_control_plane",
                    variables(others, layout::controlPlane),
                    1,
                    beforeMembers,
                    false));
            beforeMembers.add(name + ".joined_control_plane");
        }
        if (!layout.workers().isEmpty()) {
            stages.add(stage(name, "kubernetes_worker", layout.workers(), layout::worker, beforeMembers));
            beforeMembers.add(name + ".kubernetes_worker");
            // One action for all of them: they move one by one, and the first that cannot stops the others.
            stages.add(
                    stage(name, "kubernetes_release", List.of(layout.first()), _ -> layout.release(), beforeMembers));
        }
        stages.add(stage(
                name,
                "kubernetes_access",
                List.of(layout.first()),
                _ -> Map.of("kubernetes_access_objects", layout.objects().access()),
                List.of(name + ".kubernetes_control_plane")));
        if (!gpuHosts.isEmpty()) {
            // Nodes are labelled after they have joined.
            stages.add(stage(name, "kubernetes_gpu", List.of(layout.first()), _ -> layout.gpu(), beforeMembers)
                    .afterEveryHost());
        }
        return stages;
    }

    @Override
    public List<Acceptance> acceptance(Site site, Name name, Kubernetes cluster, List<Machine> machines) {
        var layout = new KubernetesLayout(site, name, cluster, machines);
        return List.of(new Acceptance(
                name.value(), cluster.kind(), layout.first().name(), "kubernetes/verify.sh.j2", layout.proof()));
    }

    @Override
    public Optional<LoginFile> loginFile(Name name, Kubernetes cluster) {
        return cluster.oidc()
                .map(_ -> new LoginFile(
                        "kubeconfig",
                        site -> KubeconfigSource.of(site, name, cluster, Optional.empty(), true)
                                .text()));
    }

    @Override
    public CommandPrefix commandPrefix(
            Site site, Name name, Kubernetes cluster, List<Machine> machines, Optional<Name> user) {
        var layout = new KubernetesLayout(site, name, cluster, machines);
        var argv = new ArrayList<>(List.of(
                KubernetesLayout.RUN, "--image", cluster.acceptance().image().value()));
        user.ifPresent(who -> argv.addAll(layout.as(site, who)));
        argv.add("--");
        return new CommandPrefix(layout.first().name(), argv);
    }

    @Override
    public Map<String, Supplier<? extends ClusterCommand>> commands() {
        return Map.of("kubeconfig", KubeconfigCommand::new);
    }

    private static Map<String, Object> cards(Machine machine) {
        return Map.of("nvidia_container_runtime_cards", machine.gpus().size());
    }

    private static Map<String, Object> runtime(Kubernetes cluster, Machine machine) {
        return Map.of(
                "container_runtime_name",
                cluster.runtime(),
                "container_runtime_pause_image",
                cluster.registry().orElseGet(() -> registry(cluster.version())) + "/pause:" + pause(cluster.version()),
                "container_runtime_nvidia",
                !machine.gpus().isEmpty());
    }

    private static Map<String, Object> node(Kubernetes cluster, boolean ofControlPlane) {
        var install = cluster.install();
        var how = install.given() ? "given" : install.binaries().isPresent() ? "binaries" : "packages";
        return Map.of(
                "kubernetes_node_version",
                cluster.version().toString(),
                "kubernetes_node_control_plane",
                ofControlPlane,
                "kubernetes_node_install",
                new TreeMap<>(Map.of("how", how, "source", source(cluster, how), "sums", sums(cluster))),
                "kubernetes_node_registry",
                cluster.registry().orElseGet(() -> registry(cluster.version())));
    }

    /**
     * Digest of the checksums in a folder of binaries, so that another build of the same release is detected; else
     * empty.
     */
    private static String sums(Kubernetes cluster) {
        return cluster.install()
                .binaries()
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, "SHA256SUMS"))
                .filter(Files::isRegularFile)
                .map(LocalFile::read)
                .map(Digests::sha256)
                .orElse("");
    }

    private static String source(Kubernetes cluster, String how) {
        var install = cluster.install();
        return switch (how) {
            case "binaries" -> install.binaries().orElseThrow().replaceAll("/+$", "");
            case "packages" ->
                install.packages()
                        .orElseGet(() -> "https://" + PUBLIC_PACKAGES + "/core:/stable:/v1."
                                + cluster.version().minor() + "/deb/");
            default -> "";
        };
    }

    private static String registry(KubernetesVersion version) {
        return version.isAtLeast(22) ? "registry.k8s.io" : "k8s.gcr.io";
    }

    /** The image that this version lists in {@code kubeadm config images list}. */
    private static String pause(KubernetesVersion version) {
        return switch (version.minor()) {
            case 20 -> "3.2";
            case 21 -> "3.4.1";
            case 22 -> "3.5";
            case 23 -> "3.6";
            case 24 -> "3.7";
            case 25 -> "3.8";
            case 26, 27, 28, 29, 30 -> "3.9";
            default -> "3.10";
        };
    }
}
