package io.deepsite.cluster.kubernetes;

import io.deepsite.render.ForeignYaml;
import io.deepsite.render.YamlText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the kubeconfig that a control-plane machine returns. kubectl runs programs that its kubeconfig names, reads
 * files and uses proxies, all on the operator's machine; so the kubeconfig is rewritten from data that is known here.
 * ADR 19.
 */
final class Kubeconfig {
    private static final Pattern TEXT = Pattern.compile("[\\x20-\\x7e]{1,65536}");
    private static final Pattern SERVER = Pattern.compile("https://[0-9A-Za-z.:\\[\\]-]{1,255}/?");
    private static final Pattern EXEC_API = Pattern.compile("client\\.authentication\\.k8s\\.io/v1[a-z0-9]{0,10}");
    private static final Set<String> CLUSTER = Set.of("certificate-authority-data", "server");
    private static final Set<String> USER = Set.of("client-certificate-data", "client-key-data", "token");
    private static final Set<String> CONTEXT = Set.of("cluster", "user", "namespace");
    private static final String OIDC = "oidc";

    private Kubeconfig() {}

    /**
     * @param said by the machine
     * @param asked the command that requested it: {@link KubernetesLayout#kubeconfig}
     * @param scopes of a login at an identity provider, beside openid
     * @throws IllegalArgumentException with the content that no kubeconfig of deepsite has
     */
    static String checked(String said, List<String> asked, List<String> scopes) {
        var all = map(
                ForeignYaml.read(said),
                "the file",
                Set.of("apiVersion", "kind", "clusters", "users", "contexts", "current-context", "preferences"));
        var config = new LinkedHashMap<String, Object>();
        config.put("apiVersion", "v1");
        config.put("kind", "Config");
        config.put("clusters", entries(all, "cluster", asked, scopes));
        config.put("users", entries(all, "user", asked, scopes));
        config.put("contexts", entries(all, "context", asked, scopes));
        config.put("current-context", text(all.get("current-context"), "current-context"));
        return YamlText.documents(List.of(config));
    }

    private static List<Map<String, Object>> entries(
            Map<?, ?> all, String kind, List<String> asked, List<String> scopes) {
        if (!(all.get(kind + "s") instanceof List<?> list)) {
            throw new IllegalArgumentException(kind + "s is no list");
        }
        return list.stream().map(entry -> entry(entry, kind, asked, scopes)).toList();
    }

    private static Map<String, Object> entry(
            @Nullable Object value, String kind, List<String> asked, List<String> scopes) {
        var entry = map(value, kind + "s", Set.of("name", kind));
        var named = new LinkedHashMap<String, Object>();
        named.put("name", text(entry.get("name"), "name"));
        named.put(
                kind,
                switch (kind) {
                    case "cluster" -> cluster(entry.get(kind));
                    case "user" ->
                        login(asked).isPresent()
                                ? exec(entry.get(kind), login(asked).get(), scopes)
                                : texts(entry.get(kind), kind, USER);
                    default -> texts(entry.get(kind), kind, CONTEXT);
                });
        return named;
    }

    private static Map<String, Object> cluster(@Nullable Object value) {
        var cluster = texts(value, "cluster", CLUSTER);
        if (!(cluster.get("server") instanceof String server)
                || !SERVER.matcher(server).matches()) {
            throw new IllegalArgumentException("its server is no https address");
        }
        return cluster;
    }

    /** For a login at an identity provider: the arguments of kubectl's plugin, from the command. */
    private static Optional<List<String>> login(List<String> asked) {
        return asked.get(1).equals(OIDC)
                ? Optional.of(List.of(
                        "oidc-login",
                        "get-token",
                        "--oidc-issuer-url=" + asked.get(2),
                        "--oidc-client-id=" + asked.get(3)))
                : Optional.empty();
    }

    /** The machine does not know the scopes: they concern only who logs in. */
    private static Map<String, Object> exec(@Nullable Object value, List<String> arguments, List<String> scopes) {
        var exec = map(
                map(value, "user", Set.of("exec")).get("exec"),
                "exec",
                Set.of("apiVersion", "command", "args", "interactiveMode"));
        if (!(exec.get("apiVersion") instanceof String api)
                || !EXEC_API.matcher(api).matches()
                || !"kubectl".equals(exec.get("command"))
                || !arguments.equals(exec.get("args"))) {
            throw new IllegalArgumentException(
                    "it runs another program than kubectl oidc-login with the site's provider");
        }
        var login = new LinkedHashMap<String, Object>();
        login.put("apiVersion", api);
        login.put("command", "kubectl");
        login.put(
                "args",
                Stream.concat(arguments.stream(), scopes.stream().map(scope -> "--oidc-extra-scope=" + scope))
                        .toList());
        if (exec.containsKey("interactiveMode")) {
            login.put("interactiveMode", "IfAvailable");
        }
        return Map.of("exec", login);
    }

    private static Map<String, Object> texts(@Nullable Object value, String what, Set<String> keys) {
        var texts = new LinkedHashMap<String, Object>();
        map(value, what, keys).forEach((key, text) -> texts.put(String.valueOf(key), text(text, String.valueOf(key))));
        return texts;
    }

    private static Map<?, ?> map(@Nullable Object value, String what, Set<String> keys) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException(what + " is no map");
        }
        map.keySet().stream()
                .filter(key -> !(key instanceof String text) || !keys.contains(text))
                .findFirst()
                .ifPresent(key -> {
                    throw new IllegalArgumentException(what + " holds " + key);
                });
        return map;
    }

    private static String text(@Nullable Object value, String what) {
        if (!(value instanceof String text) || !TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException(what + " is no text");
        }
        return text;
    }
}
