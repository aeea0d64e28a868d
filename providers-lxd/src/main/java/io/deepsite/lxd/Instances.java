package io.deepsite.lxd;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import okhttp3.Request;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The family {@code /1.0/instances}. */
final class Instances {
    private static final List<String> NAME_FILES = List.of("/etc/hostname", "/etc/hosts");

    private final Rest rest;
    private final Operations operations;
    private final Daemon daemon;

    Instances(Rest rest, Operations operations, Daemon daemon) {
        this.daemon = daemon;
        this.rest = rest;
        this.operations = operations;
    }

    Optional<Rest.Etagged<Instance>> find(String name) {
        return rest.find(rest.path("instances", name), Instance.class);
    }

    /** Waits for operations that still run on it. */
    void settle(String name, Call call) {
        operations.settle("/1.0/instances/" + name, call);
    }

    /**
     * @param target a cluster member, or {@literal @} and a cluster group
     * @param type {@code container} or {@code virtual-machine}
     * @param image which one, by {@code fingerprint} or {@code alias}
     */
    record New(
            String name,
            String type,
            Optional<String> target,
            Map<String, String> image,
            List<String> profiles,
            Map<String, String> config,
            Map<String, Map<String, String>> devices) {}

    void create(New instance, Call call) {
        var source = new LinkedHashMap<>(Map.of("type", "image"));
        source.putAll(instance.image());
        var body = Map.of(
                "name",
                instance.name(),
                "type",
                instance.type(),
                "profiles",
                instance.profiles(),
                "config",
                instance.config(),
                "devices",
                instance.devices(),
                "source",
                source);
        var url = rest.path("instances");
        instance.target().ifPresent(target -> url.addQueryParameter("target", target));
        change("POST", rest.send("POST", url, body), instance.name(), Optional::isPresent, call);
    }

    /**
     * Sets the host name to {@code machine} instead of the instance's name, for images whose templates do not.
     */
    void nameInside(String name, String machine) {
        var url = rest.path("instances", name, "metadata");
        var metadata = (ObjectNode) rest.get(url, JsonNode.class);
        if (metadata.path("templates") instanceof ObjectNode templates) {
            templates.remove(NAME_FILES);
            rest.send("PUT", rest.path("instances", name, "metadata"), metadata);
        }
        push(name, new Boot.BootFile("/etc/hostname", 0644, machine + "\n"));
        push(name, new Boot.BootFile("/etc/hosts", 0644, """
                        127.0.0.1 localhost
                        127.0.1.1 %s
                        ::1 localhost ip6-localhost ip6-loopback
                        """.formatted(machine)));
    }

    /** Writes one file; its folder must exist. */
    void push(String name, Boot.BootFile file) {
        var url = rest.path("instances", name, "files").addQueryParameter("path", file.path());
        var request = new Request.Builder()
                .header(daemon.header("type"), "file")
                .header(daemon.header("uid"), "0")
                .header(daemon.header("gid"), "0")
                .header(daemon.header("mode"), String.format(Locale.ROOT, "%04o", file.mode()));
        try {
            rest.post(request, url, Rest.bytes(file.content().getBytes(StandardCharsets.UTF_8)));
        } catch (Refusal refusal) {
            throw new Refusal(
                    refusal.status(),
                    refusal.request(),
                    refusal.error() + " (writing " + file.path() + " in the image)");
        }
    }

    /** Makes an image of a stopped instance, with its properties and one alias. */
    void publish(String name, Map<String, String> properties, String alias, Call call) {
        var body = Map.of(
                "source",
                Map.of("type", "instance", "name", name),
                "properties",
                properties,
                "aliases",
                List.of(Map.of("name", alias)));
        var started = rest.send("POST", rest.path("images"), body);
        if (operations.await(started, "POST /1.0/images", call) == Operations.End.FORGOTTEN) {
            throw new Refusal(500, "POST /1.0/images", operations.lost());
        }
    }

    void start(String name, Call call) {
        state(name, "start", false, found -> found.map(Instance::isRunning).orElse(false), call);
    }

    /** @param force kill its processes at once; otherwise it shuts down, and is killed after 30 s */
    void stop(String name, boolean force, Call call) {
        Predicate<Optional<Instance>> stopped =
                found -> found.map(Instance::isStopped).orElse(true);
        try {
            state(name, "stop", force, stopped, call);
        } catch (Refusal refusal) {
            if (force || find(name).map(found -> found.value().isStopped()).orElse(true)) {
                return;
            }
            state(name, "stop", true, stopped, call);
        }
    }

    private void state(String name, String action, boolean force, Predicate<Optional<Instance>> done, Call call) {
        var body = Map.of("action", action, "timeout", 30, "force", force);
        change("PUT", rest.send("PUT", rest.path("instances", name, "state"), body), name, done, call);
    }

    /** As LXD sends it, so that it can be sent back whole with changes. */
    Optional<Rest.Etagged<JsonNode>> findWhole(String name) {
        return rest.find(rest.path("instances", name), JsonNode.class);
    }

    /** Replaces profiles, config and devices; LXD refuses (412) if the instance changed since it was read. */
    void replace(
            Rest.Etagged<JsonNode> read,
            List<String> profiles,
            Map<String, String> config,
            Map<String, Map<String, String>> devices,
            Call call) {
        var whole = ((ObjectNode) read.value()).deepCopy();
        whole.set("profiles", Json.MAPPER.valueToTree(profiles));
        whole.set("config", Json.MAPPER.valueToTree(config));
        whole.set("devices", Json.MAPPER.valueToTree(devices));
        var name = whole.path("name").asString();
        var reply = rest.sendIfMatch("PUT", rest.path("instances", name), whole, read.etag());
        Predicate<Optional<Instance>> done =
                found -> found.map(now -> now.devices().equals(devices)).orElse(false);
        change("PUT", reply, name, done, call);
    }

    /** Sets a few config keys; an empty value removes the key. */
    void set(String name, Map<String, String> config) {
        rest.send("PATCH", rest.path("instances", name), Map.of("config", config));
    }

    void delete(String name, Call call) {
        change("DELETE", rest.delete(rest.path("instances", name)), name, Optional::isEmpty, call);
    }

    /** The last lines of its console; empty if there are none, or no such instance. */
    String console(String name, int lines) {
        var log = rest.text(rest.path("instances", name, "console")).orElse("");
        var all = log.lines().toList();
        return all.stream().skip(Math.max(0, all.size() - lines)).collect(Collectors.joining("\n"));
    }

    /** Waits for the operation; if LXD forgot its result, the instance itself must show it. */
    private void change(String method, Rest.Reply started, String name, Predicate<Optional<Instance>> done, Call call) {
        if (started.operation().isEmpty()) {
            return;
        }
        var request = method + " /1.0/instances/" + name;
        var end = operations.await(started, request, call);
        if (end == Operations.End.FORGOTTEN && !done.test(find(name).map(Rest.Etagged::value))) {
            throw new Refusal(500, request, operations.lost());
        }
    }
}
