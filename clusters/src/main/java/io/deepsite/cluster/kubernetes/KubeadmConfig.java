package io.deepsite.cluster.kubernetes;

import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Machine;
import io.deepsite.render.YamlText;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * kubeadm's configuration, in the API of its version: v1beta2 up to 1.21, v1beta3 up to 1.30, v1beta4 from 1.31 on,
 * where {@code extraArgs} are a list. All settings of a site go through this file, so that an upgrade keeps them.
 *
 * @param endpoint host and port by which all clients reach the API servers
 * @param containers at least one machine is a container
 */
record KubeadmConfig(
        Name name,
        Kubernetes cluster,
        KubernetesIdentity identity,
        List<Machine> controlPlane,
        String endpoint,
        boolean containers) {
    static final int API_PORT = 6443;
    /** The port of the virtual address: on the machine that holds it, API_PORT is its own API server's. */
    static final int VIRTUAL_PORT = 8443;

    private static final String CONTAINERD = "unix:///run/containerd/containerd.sock";
    private static final String DOCKERSHIM = "/var/run/dockershim.sock";

    /** Of CoreDNS, which a cluster without the addon does not have; the script of releases knows by them that it has none. */
    private static final List<String> COREDNS_CHECKS = List.of("CoreDNSUnsupportedPlugins", "CoreDNSMigration");

    /** From here on kubelet's own setting replaces the feature gate. */
    private static final int STORAGE_ISOLATION_KEY = 25;

    KubeadmConfig {
        controlPlane = List.copyOf(controlPlane);
    }

    String apiVersion() {
        return apiVersion(cluster.version());
    }

    static String apiVersion(KubernetesVersion version) {
        String beta = version.isAtLeast(31) ? "v1beta4" : version.isAtLeast(22) ? "v1beta3" : "v1beta2";
        return "kubeadm.k8s.io/" + beta;
    }

    /** The file for {@code kubeadm init} and its phases on one control-plane machine. */
    String init(Machine machine) {
        return YamlText.documents(List.of(
                initConfiguration(machine), clusterConfiguration(), kubeletConfiguration(), proxyConfiguration()));
    }

    /**
     * The file for {@code kubeadm join}, without token, hash of the authority and certificate key, which last minutes.
     */
    Map<String, Object> join(Machine machine, boolean asControlPlane) {
        var join = document("JoinConfiguration");
        join.put("discovery", Map.of("bootstrapToken", Map.of("apiServerEndpoint", endpoint)));
        join.put("nodeRegistration", registration(machine));
        if (asControlPlane) {
            join.put("controlPlane", Map.of("localAPIEndpoint", localEndpoint(machine)));
        }
        return join;
    }

    /** The preflight checks that {@code kubeadm upgrade} ignores. */
    List<String> ignoredByUpgrade() {
        var ignored = new ArrayList<>(ignored());
        // It gives a pod 15 seconds, which a busy cluster may need; the site's own proof runs pods.
        ignored.add("CreateJob");
        if (!cluster.addons().dns()) {
            ignored.addAll(COREDNS_CHECKS);
        }
        return ignored;
    }

    /** The API server's flags that depend on site.yaml, {@code --name=value}. */
    List<String> apiServerFlags() {
        return identity.flags().entrySet().stream()
                .map(flag -> "--" + flag.getKey() + "=" + flag.getValue())
                .toList();
    }

    private Map<String, Object> initConfiguration(Machine machine) {
        var init = document("InitConfiguration");
        // Without an entry kubeadm creates a token that lasts a day; nothing uses this one.
        init.put("bootstrapTokens", List.of(Map.of("ttl", "1m0s")));
        init.put("localAPIEndpoint", localEndpoint(machine));
        init.put("nodeRegistration", registration(machine));
        return init;
    }

    private static Map<String, Object> localEndpoint(Machine machine) {
        var local = new LinkedHashMap<String, Object>();
        local.put("advertiseAddress", SiteStages.address(machine));
        local.put("bindPort", API_PORT);
        return local;
    }

    private Map<String, Object> registration(Machine machine) {
        var registration = new LinkedHashMap<String, Object>();
        registration.put("name", machine.name());
        registration.put("criSocket", cluster.runtime().equals("docker") ? DOCKERSHIM : CONTAINERD);
        registration.put("kubeletExtraArgs", arguments(Map.of("node-ip", SiteStages.address(machine))));
        var ignored = ignored();
        if (!ignored.isEmpty()) {
            registration.put("ignorePreflightErrors", ignored);
        }
        return registration;
    }

    /** The role kubernetes_node checks what a container cannot show or set itself. */
    private List<String> ignored() {
        var ignored = new ArrayList<String>();
        if (containers) {
            ignored.add("FileContent--proc-sys-net-bridge-bridge-nf-call-iptables");
            ignored.add("SystemVerification");
        }
        if (!cluster.addons().dns()) {
            // kubeadm requires CoreDNS's image even if the phase that uses it is skipped.
            ignored.add("ImagePull");
        }
        return ignored;
    }

    private Map<String, Object> clusterConfiguration() {
        var config = document("ClusterConfiguration");
        config.put("clusterName", name.value());
        config.put("kubernetesVersion", "v" + cluster.version());
        cluster.registry().ifPresent(registry -> config.put("imageRepository", registry));
        config.put("controlPlaneEndpoint", endpoint);
        var networking = new LinkedHashMap<String, Object>();
        networking.put("dnsDomain", "cluster.local");
        networking.put("podSubnet", cluster.network().pods().toString());
        networking.put("serviceSubnet", cluster.network().services().toString());
        config.put("networking", networking);
        config.put("apiServer", apiServer());
        if (isBridge()) {
            // A node's range follows from its address; a second assignment would contradict it.
            config.put("controllerManager", Map.of("extraArgs", arguments(Map.of("allocate-node-cidrs", "false"))));
        }
        if (isWithoutStorageIsolation() && !cluster.version().isAtLeast(STORAGE_ISOLATION_KEY)) {
            config.put(
                    "scheduler",
                    Map.of("extraArgs", arguments(Map.of("feature-gates", "LocalStorageCapacityIsolation=false"))));
        }
        return config;
    }

    private Map<String, Object> apiServer() {
        var names = new ArrayList<String>();
        names.add("127.0.0.1");
        controlPlane.forEach(machine -> {
            names.add(machine.name());
            names.add(SiteStages.address(machine));
        });
        String host = endpoint.substring(0, endpoint.lastIndexOf(':'));
        if (!names.contains(host)) {
            names.add(host);
        }
        var server = new LinkedHashMap<String, Object>();
        server.put("certSANs", names);
        server.put("extraArgs", arguments(identity.flags()));
        if (!identity.files().isEmpty()) {
            var volume = new LinkedHashMap<String, Object>();
            volume.put("name", "deepsite");
            volume.put("hostPath", KubernetesIdentity.FOLDER);
            volume.put("mountPath", KubernetesIdentity.FOLDER);
            volume.put("readOnly", true);
            volume.put("pathType", "Directory");
            server.put("extraVolumes", List.of(volume));
        }
        return server;
    }

    private Map<String, Object> kubeletConfiguration() {
        var config = new LinkedHashMap<String, Object>();
        config.put("apiVersion", "kubelet.config.k8s.io/v1beta1");
        config.put("kind", "KubeletConfiguration");
        config.put("cgroupDriver", containers ? "cgroupfs" : "systemd");
        if (containers) {
            // A container shares its host's disk: its usage is not this node's to fix.
            config.put("evictionHard", Map.of("memory.available", "50Mi"));
        }
        if (containers || cluster.install().binaries().isPresent()) {
            // Images from a folder cannot be pulled again.
            config.put("imageGCHighThresholdPercent", 100);
        }
        if (isWithoutStorageIsolation()) {
            if (cluster.version().isAtLeast(STORAGE_ISOLATION_KEY)) {
                config.put("localStorageCapacityIsolation", false);
            } else {
                config.put("featureGates", Map.of("LocalStorageCapacityIsolation", false));
            }
        }
        return config;
    }

    private Map<String, Object> proxyConfiguration() {
        var config = new LinkedHashMap<String, Object>();
        config.put("apiVersion", "kubeproxy.config.k8s.io/v1alpha1");
        config.put("kind", "KubeProxyConfiguration");
        config.put("mode", "iptables");
        if (containers) {
            // Zero keeps the host's own limits, which a container cannot set.
            var conntrack = new LinkedHashMap<String, Object>();
            conntrack.put("maxPerCore", 0);
            conntrack.put("min", 0);
            conntrack.put("tcpCloseWaitTimeout", "0s");
            conntrack.put("tcpEstablishedTimeout", "0s");
            config.put("conntrack", conntrack);
        }
        return config;
    }

    /** In a container cAdvisor does not find the file system below btrfs, and kubelet would not start. */
    private boolean isWithoutStorageIsolation() {
        return containers;
    }

    private boolean isBridge() {
        return cluster.network().plugin().equals("bridge");
    }

    private Object arguments(Map<String, String> arguments) {
        if (!cluster.version().isAtLeast(31)) {
            return arguments;
        }
        return arguments.entrySet().stream()
                .map(argument -> {
                    var entry = new LinkedHashMap<String, Object>();
                    entry.put("name", argument.getKey());
                    entry.put("value", argument.getValue());
                    return entry;
                })
                .toList();
    }

    private Map<String, Object> document(String kind) {
        var document = new LinkedHashMap<String, Object>();
        document.put("apiVersion", apiVersion());
        document.put("kind", kind);
        return document;
    }

    static Optional<String> host(Kubernetes.Endpoint endpoint) {
        return endpoint.virtualAddress()
                .map(address -> address + ":" + VIRTUAL_PORT)
                .or(endpoint::loadBalancer);
    }
}
