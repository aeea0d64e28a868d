package io.deepsite.cluster.kubernetes;

import io.deepsite.provider.Machine;
import io.deepsite.render.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** NVIDIA's device plugin as API objects, and the labels of the nodes that it runs on. */
record DevicePlugin(KubernetesGpu settings) {
    private static final String VENDOR = "nvidia-";
    private static final String NAMESPACE = "kube-system";
    private static final String NAME = "nvidia-device-plugin";
    private static final String PRESENT = "nvidia.com/gpu.present";
    private static final String MPS_ROOT = "/run/nvidia/mps";

    /** Pods per card; 1 without sharing. */
    int replicas() {
        return settings.timeSlicing().or(settings::mps).orElse(1);
    }

    String objects() {
        var documents = new ArrayList<Map<String, Object>>();
        if (replicas() > 1) {
            documents.add(configuration());
        }
        documents.add(daemonSet(NAME, pluginContainer(), List.of()));
        if (settings.mps().isPresent()) {
            documents.add(daemonSet(NAME + "-mps-control-daemon", controlContainer(), List.of(shmContainer())));
        }
        return YamlText.documents(documents);
    }

    /** Lists of node, label and value, in the form that the role kubernetes_gpu takes. */
    List<Map<String, Object>> labels(List<Machine> machines) {
        var labels = new ArrayList<Map<String, Object>>();
        for (var machine : machines) {
            if (machine.gpus().isEmpty()) {
                continue;
            }
            var model = machine.gpus().getFirst().model();
            var values = new LinkedHashMap<String, String>();
            values.put("accelerator", accelerator(model));
            values.put(PRESENT, "true");
            values.put("nvidia.com/gpu.product", value(model));
            values.put("nvidia.com/gpu.count", String.valueOf(machine.gpus().size()));
            if (replicas() > 1) {
                values.put("nvidia.com/gpu.replicas", String.valueOf(replicas()));
            }
            if (settings.mps().isPresent()) {
                values.put("nvidia.com/mps.capable", "true");
            }
            values.forEach(
                    (label, value) -> labels.add(Map.of("node", machine.name(), "label", label, "value", value)));
        }
        return labels;
    }

    /** As Kubernetes' own guides write it, and pods select it: {@code nvidia-tesla-k20m}. */
    private static String accelerator(String model) {
        var name = value(model).toLowerCase(Locale.ROOT);
        return name.startsWith(VENDOR) ? name : VENDOR + name;
    }

    /** A label's value has letters, digits, hyphen, dot and underscore. */
    private static String value(String model) {
        return model.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|[^A-Za-z0-9]+$", "");
    }

    private Map<String, Object> configuration() {
        var resource = map("name", "nvidia.com/gpu", "replicas", replicas());
        var sharing = map(settings.mps().isPresent() ? "mps" : "timeSlicing", map("resources", List.of(resource)));
        var file = map("version", "v1", "flags", map("migStrategy", settings.mig()), "sharing", sharing);
        var document = object("v1", "ConfigMap", NAME);
        document.put("data", map("config.yaml", YamlText.documents(List.of(file))));
        return document;
    }

    private Map<String, Object> daemonSet(
            String name, Map<String, Object> container, List<Map<String, Object>> initContainers) {
        var pod = new LinkedHashMap<String, Object>();
        pod.put("priorityClassName", "system-node-critical");
        pod.put("nodeSelector", map(PRESENT, "true"));
        pod.put("tolerations", List.of(map("key", "nvidia.com/gpu", "operator", "Exists", "effect", "NoSchedule")));
        if (!initContainers.isEmpty()) {
            pod.put("hostPID", true);
            pod.put("initContainers", initContainers);
        }
        pod.put("containers", List.of(container));
        pod.put("volumes", volumes());
        var labels = map("app", name);
        var template = map("metadata", map("labels", labels), "spec", pod);
        var document = object("apps/v1", "DaemonSet", name);
        document.put("spec", map("selector", map("matchLabels", labels), "template", template));
        return document;
    }

    private Map<String, Object> pluginContainer() {
        var container = container("plugin");
        container.put("env", environment());
        container.put(
                "securityContext",
                // Reading a card's partitions requires access to its driver.
                settings.mig().equals("none") && settings.mps().isEmpty()
                        ? map("allowPrivilegeEscalation", false, "capabilities", map("drop", List.of("ALL")))
                        : map("privileged", true));
        container.put("volumeMounts", mounts());
        return container;
    }

    private Map<String, Object> controlContainer() {
        var container = container("control-daemon");
        container.put("command", List.of("mps-control-daemon"));
        container.put("env", environment());
        container.put("securityContext", map("privileged", true));
        container.put("volumeMounts", mounts());
        return container;
    }

    private Map<String, Object> shmContainer() {
        var container = container("mount-shm");
        container.put("command", List.of("mps-control-daemon", "mount-shm"));
        container.put("securityContext", map("privileged", true));
        container.put(
                "volumeMounts",
                List.of(map("name", "mps-root", "mountPath", MPS_ROOT, "mountPropagation", "Bidirectional")));
        return container;
    }

    private Map<String, Object> container(String name) {
        return map("name", name, "image", settings.image().value(), "imagePullPolicy", "IfNotPresent");
    }

    private List<Map<String, Object>> environment() {
        var environment = new LinkedHashMap<String, String>();
        environment.put("MIG_STRATEGY", settings.mig());
        environment.put("NVIDIA_MIG_MONITOR_DEVICES", "all");
        environment.put("NVIDIA_VISIBLE_DEVICES", "all");
        environment.put("NVIDIA_DRIVER_CAPABILITIES", "compute,utility");
        // A plugin without a card must fail visibly, not wait silently.
        environment.put("FAIL_ON_INIT_ERROR", "true");
        if (replicas() > 1) {
            environment.put("CONFIG_FILE", "/config/config.yaml");
        }
        return environment.entrySet().stream()
                .map(entry -> map("name", entry.getKey(), "value", entry.getValue()))
                .toList();
    }

    private List<Map<String, Object>> mounts() {
        var mounts = new ArrayList<Map<String, Object>>();
        mounts.add(map("name", "device-plugins", "mountPath", "/var/lib/kubelet/device-plugins"));
        if (replicas() > 1) {
            mounts.add(map("name", "config", "mountPath", "/config"));
        }
        if (settings.mps().isPresent()) {
            mounts.add(map("name", "mps-root", "mountPath", "/mps"));
            mounts.add(map("name", "mps-shm", "mountPath", "/dev/shm"));
        }
        return mounts;
    }

    private List<Map<String, Object>> volumes() {
        var volumes = new ArrayList<Map<String, Object>>();
        volumes.add(hostPath("device-plugins", "/var/lib/kubelet/device-plugins", Optional.of("Directory")));
        if (replicas() > 1) {
            volumes.add(map("name", "config", "configMap", map("name", NAME)));
        }
        if (settings.mps().isPresent()) {
            volumes.add(hostPath("mps-root", MPS_ROOT, Optional.of("DirectoryOrCreate")));
            volumes.add(hostPath("mps-shm", MPS_ROOT + "/shm", Optional.empty()));
        }
        return volumes;
    }

    private static Map<String, Object> hostPath(String name, String path, Optional<String> type) {
        var source = map("path", path);
        type.ifPresent(kind -> source.put("type", kind));
        return map("name", name, "hostPath", source);
    }

    private static Map<String, Object> object(String apiVersion, String kind, String name) {
        return map(
                "apiVersion",
                apiVersion,
                "kind",
                kind,
                "metadata",
                map("name", name, "namespace", NAMESPACE, "labels", map(KubernetesObjects.LABEL, "gpu")));
    }

    /** @param entries keys and values alternately */
    private static Map<String, Object> map(Object... entries) {
        var map = new LinkedHashMap<String, Object>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }
}
