package io.deepsite.cluster.kubernetes;

import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The input of a Kubernetes cluster's acceptance script. */
record KubernetesProof(Kubernetes cluster, KubernetesIdentity identity, List<Machine> machines) {
    private static final String VECTOR_ADD = "nvcr.io/nvidia/k8s/cuda-sample:vectoradd-cuda12.5.0";

    /** A user name without rights, for checks of a group. */
    private static final String SOMEBODY = "deepsite-verify";

    /** For Kubernetes' default roles: a request that they allow, and one that they refuse. */
    private record Limits(String allowed, String refused) {}

    private static final Map<String, Limits> LIMITS = Map.of(
            "view", new Limits("list pods", "delete pods"),
            "edit", new Limits("create pods", "create rolebindings.rbac.authorization.k8s.io"),
            "admin", new Limits("create rolebindings.rbac.authorization.k8s.io", "delete nodes"),
            "cluster-admin", new Limits("delete nodes", ""));

    SortedMap<String, Object> variables(DevicePlugin plugin) {
        var variables = new TreeMap<String, Object>();
        variables.put("kubernetes_verify_version", "v" + cluster.version());
        variables.put("kubernetes_verify_image", cluster.acceptance().image().value());
        variables.put(
                "kubernetes_verify_cuda",
                cluster.acceptance().cuda().isEmpty()
                        ? List.of(VECTOR_ADD)
                        : cluster.acceptance().cuda().stream()
                                .map(ContainerImage::value)
                                .toList());
        variables.put("kubernetes_verify_dns", cluster.addons().dns());
        variables.put(
                "kubernetes_verify_nodes",
                machines.stream().map(machine -> node(machine, plugin)).toList());
        variables.put("kubernetes_verify_requests", requests());
        variables.put(
                "kubernetes_verify_endpoint",
                cluster.endpoint().virtualAddress().map(Object::toString).orElse(""));
        variables.put("kubernetes_verify_endpoint_port", KubeadmConfig.VIRTUAL_PORT);
        return variables;
    }

    private static Map<String, Object> node(Machine machine, DevicePlugin plugin) {
        return Map.of(
                "name", machine.name(),
                "address", SiteStages.address(machine),
                "gpus", machine.gpus().size() * plugin.replicas());
    }

    /** Requests that must be allowed or refused: {@code answer}, {@code user}, {@code group}, {@code request}. */
    private List<Map<String, String>> requests() {
        var requests = new ArrayList<Map<String, String>>();
        for (var access : cluster.access()) {
            var limits = LIMITS.get(access.role());
            if (limits == null) {
                continue;
            }
            String where = access.namespace().map(Name::value).orElse("default");
            requests.add(request("yes", access.user(), access.group(), limits.allowed(), where));
            if (isOnlyOne(access.user(), access.group())) {
                if (!limits.refused().isEmpty()) {
                    requests.add(request("no", access.user(), access.group(), limits.refused(), where));
                }
                if (access.namespace().isPresent()) {
                    requests.add(request("no", access.user(), access.group(), limits.allowed(), "kube-system"));
                }
            }
        }
        for (var policy : cluster.authorization().policies()) {
            if (policy.nonResourcePath().isPresent() || !policy.resource().matches("\\*|[a-z]+")) {
                continue;
            }
            String resource = policy.resource().equals("*") ? "pods" : policy.resource();
            String where = policy.namespace().equals("*") ? "default" : policy.namespace();
            requests.add(request("yes", policy.user(), policy.group(), "list " + resource, where));
            if (policy.readonly() && isOnlyOne(policy.user(), policy.group())) {
                requests.add(request("no", policy.user(), policy.group(), "delete " + resource, where));
            }
        }
        return requests;
    }

    /** Whether nothing else in site.yaml grants the same user or group more. */
    private boolean isOnlyOne(Optional<String> user, Optional<String> group) {
        long bindings = cluster.access().stream()
                .filter(access -> access.user().equals(user) && access.group().equals(group))
                .count();
        long policies = cluster.authorization().policies().stream()
                .filter(policy -> (policy.user().equals(user) && policy.group().equals(group))
                        || policy.user().equals(Optional.of("*"))
                        || policy.group()
                                .filter(name -> name.equals("*") || name.startsWith("system:"))
                                .isPresent())
                .count();
        return bindings + policies == 1;
    }

    private Map<String, String> request(
            String answer, Optional<String> user, Optional<String> group, String request, String namespace) {
        return Map.of(
                "answer",
                answer,
                "user",
                user.map(identity::userName).orElse(SOMEBODY),
                "group",
                group.map(identity::groupName).orElse(""),
                "request",
                request,
                "namespace",
                namespace);
    }
}
