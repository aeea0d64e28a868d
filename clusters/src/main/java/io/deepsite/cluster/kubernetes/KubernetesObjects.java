package io.deepsite.cluster.kubernetes;

import io.deepsite.contract.Digests;
import io.deepsite.render.YamlText;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Sets of API objects, each one file that {@code deepsite-kubernetes-objects} applies. All carry the label {@link
 * #LABEL} with the name of their set; a comment lists each object to delete once it is no longer in the file.
 */
record KubernetesObjects(Site site, Kubernetes cluster, KubernetesIdentity identity) {
    static final String LABEL = "deepsite.io/set";

    private static final String RBAC = "rbac.authorization.k8s.io";

    /** Bindings of users and groups to roles. */
    String access() {
        var documents = new ArrayList<Map<String, Object>>();
        cluster.access().stream()
                .flatMap(access -> access.namespace().stream())
                .distinct()
                .forEach(namespace -> documents.add(namespace(namespace)));
        var prunable = new ArrayList<String>();
        for (var access : cluster.access()) {
            var binding = binding(access);
            documents.add(binding);
            prunable.add(binding.get("kind") + "/"
                    + access.namespace().map(Name::value).orElse("") + "/" + name(access));
        }
        var text = new StringBuilder();
        prunable.stream()
                .sorted()
                .forEach(name -> text.append("# object ").append(name).append('\n'));
        return text.append(YamlText.documents(documents)).toString();
    }

    /** Unique, and valid as a Kubernetes name. Two entitlements may differ only in what no name may contain. */
    private String name(Kubernetes.Access access) {
        String valid = valid(access);
        boolean shared = cluster.access().stream()
                .anyMatch(other -> valid(other).equals(valid) && !who(other).equals(who(access)));
        return shared ? valid + "-" + Digests.sha256(who(access)).substring(0, 8) : valid;
    }

    private static String valid(Kubernetes.Access access) {
        return "deepsite:" + access.role() + ":"
                + who(access).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9:.-]+", "-");
    }

    private static String who(Kubernetes.Access access) {
        return access.user()
                .map(user -> "user-" + user)
                .orElseGet(() -> "group-" + access.group().orElse(""));
    }

    private static Map<String, Object> namespace(Name name) {
        var document = new LinkedHashMap<String, Object>();
        document.put("apiVersion", "v1");
        document.put("kind", "Namespace");
        document.put("metadata", Map.of("name", name.value()));
        return document;
    }

    private Map<String, Object> binding(Kubernetes.Access access) {
        var metadata = new LinkedHashMap<String, Object>();
        metadata.put("name", name(access));
        access.namespace().ifPresent(namespace -> metadata.put("namespace", namespace.value()));
        metadata.put("labels", Map.of(LABEL, "access"));
        var role = new LinkedHashMap<String, Object>();
        role.put("apiGroup", RBAC);
        role.put("kind", "ClusterRole");
        role.put("name", access.role());
        var document = new LinkedHashMap<String, Object>();
        document.put("apiVersion", RBAC + "/v1");
        document.put("kind", access.namespace().isPresent() ? "RoleBinding" : "ClusterRoleBinding");
        document.put("metadata", metadata);
        document.put("roleRef", role);
        document.put(
                "subjects",
                subjects(access).stream()
                        .map(name -> subject(access.user().isPresent() ? "User" : "Group", name))
                        .toList());
        return document;
    }

    /**
     * With the provider's prefix; also without it for users with an account on the site, who can have a certificate.
     */
    private List<String> subjects(Kubernetes.Access access) {
        var names = new LinkedHashSet<String>();
        access.user().ifPresent(user -> {
            if (cluster.oidc().isPresent()) {
                names.add(identity.userName(user));
            }
            if (cluster.oidc().isEmpty()
                    || site.users().keySet().stream()
                            .anyMatch(known -> known.value().equals(user))) {
                names.add(user);
            }
        });
        access.group().ifPresent(group -> {
            if (cluster.oidc().isPresent()) {
                names.add(identity.groupName(group));
            }
            if (cluster.oidc().isEmpty()
                    || site.users().values().stream()
                            .flatMap(user -> user.groups().stream())
                            .anyMatch(known -> known.value().equals(group))) {
                names.add(group);
            }
        });
        return List.copyOf(names);
    }

    private static Map<String, Object> subject(String kind, String name) {
        var subject = new LinkedHashMap<String, Object>();
        subject.put("apiGroup", RBAC);
        subject.put("kind", kind);
        subject.put("name", name);
        return subject;
    }
}
