package io.deepsite.cluster.kubernetes;

import static io.deepsite.cluster.ClusterStages.in;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.LocalFile;
import io.deepsite.cluster.SiteStages;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.User;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Assigns the roles of one cluster to machines, with their variables. */
final class KubernetesLayout {
    /** Runs a command in a pod; installed by the role kubernetes_control_plane. */
    static final String RUN = "/usr/local/sbin/deepsite-kubernetes-run";

    /** The key of site.yaml whose value an existing cluster may change, step by step. */
    static final String VERSION = "version";

    private static final String KUBECONFIG = "/usr/local/sbin/deepsite-kubernetes-kubeconfig";
    private static final int HIGHEST_PRIORITY = 150;
    /** From this minor release on kubectl's plugins use v1. */
    private static final int EXEC_V1 = 22;

    private final Kubernetes cluster;
    private final List<Machine> controlPlane;
    private final List<Machine> workers;
    private final KubeadmConfig kubeadm;
    private final KubernetesIdentity identity;
    private final KubernetesObjects objects;

    KubernetesLayout(Site site, Name name, Kubernetes cluster, List<Machine> machines) {
        this.cluster = cluster;
        controlPlane = in(cluster.controlPlane(), machines);
        workers = in(
                cluster.workers().stream()
                        .filter(group -> !group.equals(cluster.controlPlane()))
                        .toList(),
                machines);
        identity = new KubernetesIdentity(
                cluster, cluster.oidc().flatMap(Kubernetes.Oidc::caFile).map(LocalFile::read));
        objects = new KubernetesObjects(site, cluster, identity);
        kubeadm = new KubeadmConfig(
                name,
                cluster,
                identity,
                controlPlane,
                KubeadmConfig.host(cluster.endpoint())
                        .orElseGet(() -> SiteStages.address(first()) + ":" + KubeadmConfig.API_PORT),
                all().stream().anyMatch(Machine::container));
        refuseCounts();
        refuseOverlap();
        cluster.endpoint().virtualAddress().ifPresent(this::refuseMachineOf);
    }

    /** Also applies if the provider does not assign addresses. */
    private void refuseMachineOf(IpAddress virtual) {
        for (var machine : all()) {
            if (machine.address().equals(Optional.of(virtual.toString()))) {
                throw new Failure(Diagnostic.error(
                        Code.ADDRESS_UNUSABLE,
                        machine.name() + " has the address " + virtual + ", which all API servers are to share.",
                        "Give endpoint.virtualAddress a free address of the machines' network."));
            }
        }
    }

    /** An inventory, not site.yaml, decides how many hosts a group has. */
    private void refuseCounts() {
        int machines = controlPlane.size();
        if (machines != 1 && machines != 3) {
            throw new Failure(Diagnostic.error(
                    Code.CONTROL_PLANE_COUNT,
                    "The control plane " + cluster.controlPlane() + " has " + machines + " machines: "
                            + controlPlane.stream().map(Machine::name).collect(Collectors.joining(", "))
                            + ". etcd needs a majority: two machines have none when one is lost, and more than three only"
                            + " cost.",
                    "Give the group one or three machines."));
        }
        if (machines == 3 && KubeadmConfig.host(cluster.endpoint()).isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.ENDPOINT_NEEDED,
                    "Nodes and users reach three API servers by one address, but the cluster has none.",
                    "Add \"endpoint: {virtualAddress: …}\" with a free address of the machines' network, or"
                            + " \"endpoint: {loadBalancer: host:port}\"."));
        }
        PodRanges.refuseTooMany(cluster.network().pods(), all().size());
    }

    /** See {@link ClusterKinds#MADE_WITH}. */
    static SortedMap<String, String> madeWith(Kubernetes cluster) {
        var network = cluster.network();
        return new TreeMap<>(Map.of(
                VERSION,
                cluster.version().toString(),
                "runtime",
                cluster.runtime(),
                "network.pods",
                network.pods().toString(),
                "network.services",
                network.services().toString(),
                "network.plugin",
                network.plugin()));
    }

    /** Checks what depends on the machines, not only on site.yaml. */
    private void refuseOverlap() {
        for (var machine : all()) {
            machine.address()
                    .filter(text -> text.matches(IpAddress.PATTERN))
                    .map(IpAddress::parse)
                    .ifPresent(address -> {
                        for (var range : List.of(
                                cluster.network().pods(), cluster.network().services())) {
                            if (range.contains(address)) {
                                throw new Failure(Diagnostic.error(
                                        Code.RANGES_OVERLAP,
                                        machine.name() + " has the address " + address + ", which is in the range "
                                                + range + " of pods or services.",
                                        "Choose other ranges under network."));
                            }
                        }
                    });
        }
    }

    /** The machine that initializes a new cluster. */
    Machine first() {
        return controlPlane.getFirst();
    }

    List<Machine> controlPlane() {
        return controlPlane;
    }

    List<Machine> workers() {
        return workers;
    }

    List<Machine> all() {
        var all = new ArrayList<>(controlPlane);
        all.addAll(workers);
        return all;
    }

    KubernetesObjects objects() {
        return objects;
    }

    boolean isBridge() {
        return cluster.network().plugin().equals("bridge");
    }

    Map<String, Object> network(Machine machine) {
        PodRanges.refuseClash(cluster.network().pods(), all());
        var pods = cluster.network().pods();
        return Map.of(
                "kubernetes_network_pods", pods.toString(),
                "kubernetes_network_ranges", 1 << (PodRanges.NODE_PREFIX - pods.prefix()),
                "kubernetes_network_address", SiteStages.address(machine),
                "kubernetes_network_others",
                        all().stream()
                                .filter(other -> !other.equals(machine))
                                .map(SiteStages::address)
                                .toList());
    }

    Map<String, Object> controlPlane(Machine machine) {
        var variables = new LinkedHashMap<String, Object>();
        variables.put("kubernetes_control_plane_made_with", madeWith(cluster));
        variables.put("kubernetes_control_plane_version", cluster.version().toString());
        variables.put("kubernetes_control_plane_ignored", kubeadm.ignoredByUpgrade());
        variables.put("kubernetes_control_plane_drain_seconds", drainSeconds());
        variables.put("kubernetes_control_plane_address", SiteStages.address(machine));
        variables.put("kubernetes_control_plane_config", kubeadm.init(machine));
        variables.put("kubernetes_control_plane_join", kubeadm.join(machine, true));
        variables.put("kubernetes_control_plane_first", machine.equals(first()));
        variables.put(
                "kubernetes_control_plane_peers",
                controlPlane.stream()
                        .filter(other -> !other.equals(machine))
                        .map(Machine::name)
                        .toList());
        variables.put("kubernetes_control_plane_flags", kubeadm.apiServerFlags());
        variables.put(
                "kubernetes_control_plane_files",
                identity.files().stream()
                        .map(KubernetesIdentity.File::variables)
                        .toList());
        variables.put(
                "kubernetes_control_plane_exec_api",
                "client.authentication.k8s.io/" + (cluster.version().isAtLeast(EXEC_V1) ? "v1" : "v1beta1"));
        variables.put(
                "kubernetes_control_plane_skip_phases", cluster.addons().dns() ? List.of() : List.of("addon/coredns"));
        variables.put("kubernetes_control_plane_plugin", cluster.network().plugin());
        variables.put("kubernetes_control_plane_pods", cluster.network().pods().toString());
        cluster.network()
                .manifest()
                .ifPresent(file -> variables.put("kubernetes_control_plane_manifest", LocalFile.read(file)));
        return variables;
    }

    /** Variables of the role that holds the virtual address, {@code address}. */
    Map<String, Object> endpoint(Machine machine, String address) {
        return Map.of(
                "api_endpoint_address",
                address,
                "api_endpoint_port",
                KubeadmConfig.VIRTUAL_PORT,
                "api_endpoint_own",
                SiteStages.address(machine),
                "api_endpoint_peers",
                controlPlane.stream()
                        .filter(other -> !other.equals(machine))
                        .map(SiteStages::address)
                        .toList(),
                "api_endpoint_servers",
                controlPlane.stream()
                        .map(server -> Map.of("name", server.name(), "address", SiteStages.address(server)))
                        .toList(),
                "api_endpoint_priority",
                HIGHEST_PRIORITY - controlPlane.indexOf(machine));
    }

    Map<String, Object> gpu() {
        return Map.of(
                "kubernetes_gpu_objects", plugin().objects(),
                "kubernetes_gpu_labels", plugin().labels(all()));
    }

    SortedMap<String, Object> proof() {
        return new KubernetesProof(cluster, identity, all()).variables(plugin());
    }

    /** Arguments of the script that prints a kubeconfig. */
    List<String> kubeconfig(Site site, Optional<Name> user, boolean oidc) {
        var argv = new ArrayList<>(List.of(KUBECONFIG));
        if (oidc) {
            var provider = cluster.oidc()
                    .orElseThrow(() -> new Failure(Diagnostic.error(
                            Code.NOT_WITH_KIND,
                            "The cluster has no identity provider to log in to.",
                            "Add oidc: to the cluster, or omit --oidc.")));
            argv.addAll(List.of("oidc", provider.issuer(), provider.clientId()));
        } else if (user.isPresent()) {
            var known = site.users().get(user.get());
            argv.addAll(List.of("user", user.get().value()));
            if (known != null) {
                known.groups().forEach(group -> argv.add(group.value()));
            }
        } else {
            argv.add("admin");
        }
        return argv;
    }

    /** Options with which {@link #RUN} acts as a user: name, groups, and the first namespace granted in access. */
    List<String> as(Site site, Name user) {
        var known = Optional.ofNullable(site.users().get(user));
        var groups = known.map(User::groups).orElse(List.of()).stream()
                .map(Name::value)
                .toList();
        var argv = new ArrayList<>(List.of("--as", known.isPresent() ? user.value() : identity.userName(user.value())));
        groups.forEach(group -> argv.addAll(List.of("--as-group", group)));
        cluster.access().stream()
                .filter(access -> access.user().equals(Optional.of(user.value()))
                        || access.group().filter(groups::contains).isPresent())
                .flatMap(access -> access.namespace().stream())
                .findFirst()
                .ifPresent(namespace -> argv.addAll(List.of("--namespace", namespace.value())));
        return argv;
    }

    private DevicePlugin plugin() {
        return new DevicePlugin(cluster.gpu());
    }

    Map<String, Object> worker(Machine machine) {
        var variables = new LinkedHashMap<String, Object>();
        variables.put("kubernetes_worker_control_plane", first().name());
        variables.put("kubernetes_worker_join", kubeadm.join(machine, false));
        variables.put("kubernetes_worker_drain_seconds", drainSeconds());
        return variables;
    }

    /** Variables of the role that moves the workers to another release. */
    Map<String, Object> release() {
        return Map.of(
                "kubernetes_release_version", cluster.version().toString(),
                "kubernetes_release_workers",
                        workers.stream().map(Machine::name).toList(),
                "kubernetes_release_ignored", kubeadm.ignoredByUpgrade(),
                "kubernetes_release_drain_seconds", drainSeconds());
    }

    private long drainSeconds() {
        return cluster.drain().patience().duration().toSeconds();
    }
}
