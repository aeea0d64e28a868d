package io.deepsite.cluster.kubernetes;

import io.deepsite.cluster.OpenId;
import io.deepsite.contract.Digests;
import io.deepsite.render.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How an API server authenticates users and authorizes requests: its flags, and the files that these name. A file's
 * name contains the digest of its text, so that a new text changes the flag: the server reads most of them only at its
 * start.
 *
 * @param ca the certificate of the OIDC provider's authority, PEM; empty for a public one
 */
record KubernetesIdentity(Kubernetes cluster, Optional<String> ca) {
    /** The folder of the host that API servers mount read-only. */
    static final String FOLDER = "/etc/kubernetes/deepsite/apiserver";

    /** From this minor release on the structured file needs no feature gate. */
    static final int STRUCTURED = 30;
    /** From this minor release on the structured file's API is v1. */
    private static final int STRUCTURED_V1 = 34;

    private static final List<String> ALWAYS_OURS = List.of("system:");

    /** A file below {@link #FOLDER}. */
    record File(String path, String text) {
        Map<String, Object> variables() {
            return Map.of("path", path, "text", text);
        }
    }

    /** Flags without the two hyphens, in a stable order. */
    Map<String, String> flags() {
        var flags = new LinkedHashMap<String, String>();
        flags.put(
                "authorization-mode",
                cluster.authorization().inForce().stream()
                        .map(AuthorizationMode::value)
                        .collect(Collectors.joining(",")));
        policies().ifPresent(file -> flags.put("authorization-policy-file", file.path()));
        if (isStructured()) {
            structured().ifPresent(file -> flags.put("authentication-config", file.path()));
        } else {
            cluster.oidc().ifPresent(oidc -> flags.putAll(oidcFlags(oidc)));
        }
        return flags;
    }

    List<File> files() {
        var files = new ArrayList<File>();
        policies().ifPresent(files::add);
        if (isStructured()) {
            structured().ifPresent(files::add);
        } else {
            authority().ifPresent(files::add);
        }
        return files;
    }

    /** The API server's name for a user of the identity provider. */
    String userName(String user) {
        return name(user, cluster.oidc().map(Kubernetes.Oidc::namePrefix).orElse(""));
    }

    String groupName(String group) {
        return name(group, cluster.oidc().map(Kubernetes.Oidc::groupPrefix).orElse(""));
    }

    private static String name(String name, String prefix) {
        return name.equals("*") || ALWAYS_OURS.stream().anyMatch(name::startsWith) ? name : prefix + name;
    }

    private boolean isStructured() {
        return cluster.version().isAtLeast(STRUCTURED);
    }

    private Map<String, String> oidcFlags(Kubernetes.Oidc oidc) {
        var flags = new LinkedHashMap<String, String>();
        flags.put("oidc-issuer-url", oidc.issuer());
        flags.put("oidc-client-id", oidc.clientId());
        flags.put("oidc-username-claim", oidc.usernameClaim());
        oidc.usernamePrefix().ifPresent(prefix -> flags.put("oidc-username-prefix", prefix));
        oidc.groupsClaim().ifPresent(claim -> flags.put("oidc-groups-claim", claim));
        oidc.groupsPrefix().ifPresent(prefix -> flags.put("oidc-groups-prefix", prefix));
        authority().ifPresent(file -> flags.put("oidc-ca-file", file.path()));
        return flags;
    }

    private Optional<File> authority() {
        return ca.map(pem -> file("oidc-ca", "crt", pem));
    }

    private Optional<File> structured() {
        return cluster.oidc().map(oidc -> {
            var issuer = new LinkedHashMap<String, Object>();
            issuer.put("url", oidc.issuer());
            ca.ifPresent(pem -> issuer.put("certificateAuthority", pem));
            issuer.put("audiences", List.of(oidc.clientId()));
            var mappings = new LinkedHashMap<String, Object>();
            mappings.put("username", mapping(oidc.usernameClaim(), oidc.namePrefix(), false));
            oidc.groupsClaim().ifPresent(claim -> mappings.put("groups", mapping(claim, oidc.groupPrefix(), true)));
            var jwt = new LinkedHashMap<String, Object>();
            jwt.put("issuer", issuer);
            jwt.put("claimMappings", mappings);
            var document = new LinkedHashMap<String, Object>();
            document.put(
                    "apiVersion",
                    "apiserver.config.k8s.io/" + (cluster.version().isAtLeast(STRUCTURED_V1) ? "v1" : "v1beta1"));
            document.put("kind", "AuthenticationConfiguration");
            document.put("jwt", List.of(jwt));
            return file("authentication", "yaml", YamlText.documents(List.of(document)));
        });
    }

    private static Map<String, Object> mapping(String claim, String prefix, boolean isList) {
        if (OpenId.isNested(claim)) {
            return Map.of("expression", isList ? eachOf(claim, prefix) : quoted(prefix) + " + " + value(claim));
        }
        var mapping = new LinkedHashMap<String, Object>();
        mapping.put("claim", claim);
        mapping.put("prefix", prefix);
        return mapping;
    }

    /** In CEL; a user without the claim is in no group. */
    private static String eachOf(String claim, String prefix) {
        var keys = OpenId.keys(claim);
        var exists = new ArrayList<String>();
        var place = new StringBuilder("claims");
        for (var key : keys) {
            exists.add(quoted(key) + " in " + place);
            place.append('[').append(quoted(key)).append(']');
        }
        return String.join(" && ", exists) + " ? " + place + ".map(name, " + quoted(prefix) + " + name) : []";
    }

    private static String value(String claim) {
        return OpenId.keys(claim).stream()
                .map(key -> "[" + quoted(key) + "]")
                .collect(Collectors.joining("", "claims", ""));
    }

    private Optional<File> policies() {
        var lines = cluster.authorization().policies().stream()
                .map(policy -> line(policy) + "\n")
                .collect(Collectors.joining());
        return lines.isEmpty() ? Optional.empty() : Optional.of(file("abac", "jsonl", lines));
    }

    private String line(Kubernetes.Policy policy) {
        var spec = new LinkedHashMap<String, Object>();
        policy.user().ifPresent(user -> spec.put("user", userName(user)));
        policy.group().ifPresent(group -> spec.put("group", groupName(group)));
        // A policy covers resources or a path; a field of the other kind would match more than intended.
        if (policy.nonResourcePath().isPresent()) {
            spec.put("nonResourcePath", policy.nonResourcePath().get());
        } else {
            spec.put("namespace", policy.namespace());
            spec.put("resource", policy.resource());
            spec.put("apiGroup", policy.apiGroup());
        }
        if (policy.readonly()) {
            spec.put("readonly", true);
        }
        var fields = spec.entrySet().stream()
                .map(field -> quoted(field.getKey()) + ":"
                        + (field.getValue() instanceof String text ? quoted(text) : field.getValue()))
                .collect(Collectors.joining(","));
        return "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{" + fields
                + "}}";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static File file(String name, String suffix, String text) {
        var digest = Digests.sha256(text);
        return new File(FOLDER + "/" + name + "-" + digest.substring(0, 8) + "." + suffix, text);
    }
}
