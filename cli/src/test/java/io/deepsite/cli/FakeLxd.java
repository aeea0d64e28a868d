package io.deepsite.cli;

import io.deepsite.cli.UnixHttp.Answer;
import io.deepsite.cli.UnixHttp.Asked;
import io.deepsite.remote.FakeSshServer;
import io.deepsite.state.OpenSshKey;
import io.deepsite.state.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * An LXD in memory behind a real unix socket, for tests of the whole tool. Its machines are SSH servers on the loopback net,
 * with the host key and login key that were written into them before their first start. It fails on demand, with messages
 * of LXD 5.0.2.
 */
final class FakeLxd implements AutoCloseable {
    static final JsonMapper JSON = JsonMapper.builder().build();

    /** Objects by path: {@code instances/lab-box}, {@code storage-pools/nova}, {@code networks/br}, … */
    final Map<String, ObjectNode> things = new TreeMap<>();

    /** Files of machines: machine to path to content. */
    final Map<String, Map<String, String>> files = new HashMap<>();

    private record Fault(int status, String error, boolean inOperation) {}

    private final Path folder;
    private final int sshPort;

    private final Map<String, FakeSshServer> machines = new HashMap<>();
    private final Map<String, String> operations = new HashMap<>();
    private final Map<String, Fault> faults = new HashMap<>();
    private final Map<String, Runnable> hooks = new HashMap<>();
    private final List<String> changes = new ArrayList<>();
    private final AtomicInteger number = new AtomicInteger();
    private @Nullable UnixHttp server;
    private FakeSshServer.Behaviour behaviour = FakeSshServer::shell;
    private String auth = "trusted";
    private String certificate = "c0ffee";
    private String cards = "[]";
    private boolean hostless;

    FakeLxd(Path folder, String net, int sshPort) {
        this.folder = folder;
        this.sshPort = sshPort;
        add("storage-pools/nova", "{'name':'nova','driver':'btrfs','status':'Created','config':{}}");
        add("networks/lxdbr0", """
                {'name':'lxdbr0','type':'bridge','managed':true,'status':'Created',
                 'config':{'ipv4.address':'%s.1/24','ipv4.nat':'true'}}""".formatted(net));
        add("projects/default", "{'name':'default','config':{}}");
        add("images/f00d", "{'fingerprint':'f00d','size':1,'properties':{},'aliases':[{'name':'debian/12'}]}");
    }

    Path socket() {
        return folder.resolve("lxd.socket");
    }

    void add(String path, String json) {
        things.put(path, (ObjectNode) JSON.readTree(json.replace('\'', '"')));
    }

    void start() {
        try {
            server = new UnixHttp(socket(), this::answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void stop() {
        try {
            var running = server;
            if (running != null) {
                running.close();
                server = null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Refuses the next such request ({@code POST /1.0/instances}) with an error. */
    synchronized void refuse(String request, int status, String error) {
        faults.put(request, new Fault(status, error, false));
    }

    /** Accepts the next such request, and fails its operation. */
    synchronized void failLater(String request, String error) {
        faults.put(request, new Fault(400, error, true));
    }

    /** Runs while the next such request is answered. */
    synchronized void meanwhile(String request, Runnable what) {
        hooks.put(request, what);
    }

    synchronized void mistrust(boolean yes) {
        auth = yes ? "untrusted" : "trusted";
    }

    /** Becomes another server, or gets a new certificate. */
    synchronized void certificate(String fingerprint) {
        certificate = fingerprint;
    }

    synchronized void cards(String json) {
        cards = json.replace('\'', '"');
    }

    /** Sets how machines answer commands, running machines included. */
    synchronized void behaving(FakeSshServer.Behaviour next) {
        behaviour = next;
        machines.values().forEach(machine -> machine.behaving(next));
    }

    /** Its machines run no commands from now on. */
    FakeLxd withoutHosts() {
        hostless = true;
        return this;
    }

    /** Stops the machine's SSH server; LXD still reports the machine as running. */
    synchronized void silence(String name) {
        closed(machines.remove(name));
    }

    /** Starts its SSH server again, optionally with another host key. */
    synchronized void speak(String name, @Nullable OpenSshKey otherKey, @Nullable String otherLogin) {
        closed(machines.remove(name));
        if (hostless) {
            return;
        }
        var inside = files.getOrDefault(name, Map.of());
        var key = otherKey != null ? otherKey : OpenSshKey.of(Secret.of(inside.get("/etc/ssh/ssh_host_ed25519_key")));
        var login = otherLogin != null
                ? otherLogin
                : inside.get("/root/.ssh/authorized_keys").strip();
        var address = things.get("instances/" + name)
                .path("devices")
                .path("eth0")
                .path("ipv4.address")
                .asString();
        try {
            machines.put(
                    name, FakeSshServer.at(folder, address, sshPort, key, login).behaving(behaviour));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Method and path of each changing request since the last call. */
    synchronized List<String> changes() {
        var all = List.copyOf(changes);
        changes.clear();
        return all;
    }

    /** All objects, one per line, including untagged ones. */
    synchronized List<String> contents() {
        return Stream.of("instances/", "storage-pools/", "networks/")
                .flatMap(family -> things.keySet().stream().filter(path -> path.startsWith(family)))
                .map(path -> path
                        + (path.startsWith("instances/") ? " " + status(path) : "")
                        + (isOurs(path) ? "" : " (not ours)"))
                .toList();
    }

    /** Paths of objects with deepsite's tags. */
    synchronized List<String> ours() {
        return things.keySet().stream().filter(this::isOurs).toList();
    }

    private boolean isOurs(String path) {
        return things.get(path).path("config").has("user.deepsite.site");
    }

    private String status(String path) {
        return things.get(path).path("status").asString()
                + (isOurs(path) && !things.get(path).path("config").has("user.deepsite.ready") ? ", half made" : "");
    }

    private Answer answer(Asked asked) {
        var hook = hook(asked.method() + " " + asked.path());
        if (hook != null) {
            hook.run();
        }
        synchronized (this) {
            var request = asked.method() + " " + asked.path();
            // Cancelling an operation is not a change.
            if (!asked.method().equals("GET") && !asked.path().startsWith("/1.0/operations/")) {
                changes.add(request);
            }
            var fault = faults.remove(request);
            if (fault != null && !fault.inOperation()) {
                return error(fault.status(), fault.error());
            }
            return route(asked, fault == null ? "" : fault.error());
        }
    }

    private synchronized @Nullable Runnable hook(String request) {
        return hooks.remove(request);
    }

    private Answer route(Asked asked, String failing) {
        var parts = asked.path().split("/");
        var path = asked.path().replaceFirst("^/1\\.0/?", "");
        return switch (parts.length < 3 ? "" : parts[2]) {
            case "" -> ok(serverInfo());
            case "operations" -> operation(parts);
            case "resources" -> ok(JSON.readTree("{\"gpu\":{\"cards\":" + cards + "}}"));
            case "events" -> error(404, "not found");
            default ->
                switch (asked.method()) {
                    case "GET" -> get(path, parts);
                    case "POST" -> post(path, parts, asked, failing);
                    case "PUT" -> put(path, parts, asked, failing);
                    case "PATCH" -> patch(path, asked);
                    case "DELETE" -> delete(path, failing);
                    default -> error(405, "not allowed");
                };
        };
    }

    private JsonNode serverInfo() {
        return JSON.readTree("""
                {"auth":"%s","environment":{"server_name":"host","certificate_fingerprint":"%s","server_version":"5.0.2","os_name":"Debian",
                 "os_version":"12","storage_supported_drivers":[{"Name":"btrfs"},{"Name":"dir"}]}}""".formatted(auth, certificate));
    }

    private Answer operation(String... parts) {
        if (parts.length < 4) {
            return ok(JSON.createObjectNode());
        }
        var error = operations.getOrDefault(parts[3], "");
        var operation = JSON.createObjectNode()
                .put("id", parts[3])
                .put("description", "work")
                .put("status_code", error.isEmpty() ? 200 : 400)
                .put("err", error);
        return ok(operation);
    }

    private Answer get(String path, String... parts) {
        if (things.containsKey(path)) {
            return ok(things.get(path));
        }
        var last = parts[parts.length - 1];
        if (last.equals("leases")) {
            return ok(JSON.createArrayNode());
        }
        if (last.equals("state") || last.equals("resources")) {
            return ok(JSON.readTree("{\"addresses\":[],\"space\":{\"used\":1,\"total\":100}}"));
        }
        if (parts.length == 3 || last.equals("custom")) {
            var all = JSON.createArrayNode();
            things.forEach((key, thing) -> {
                if (key.startsWith(path + "/") && key.indexOf('/', path.length() + 1) < 0) {
                    all.add(thing);
                }
            });
            return ok(all);
        }
        return error(404, "not found");
    }

    private Answer post(String path, String[] parts, Asked asked, String failing) {
        if (parts[parts.length - 1].equals("files")) {
            var file = asked.query().replaceFirst("^.*path=", "");
            files.computeIfAbsent(parts[3], _ -> new LinkedHashMap<>()).put(file, asked.text());
            return ok(JSON.createObjectNode());
        }
        var body = (ObjectNode) JSON.readTree(asked.body());
        var key = path + "/" + body.path("name").asString();
        if (!path.equals("instances")) {
            things.put(key, body.put("status", "Created").put("managed", true));
            return ok(JSON.createObjectNode());
        }
        if (things.containsKey(key)) {
            return operation("Failed creating instance record: Add instance info to the database: This instance"
                    + " already exists");
        }
        if (failing.isEmpty()) {
            var config = (ObjectNode) body.path("config");
            config.put(
                    "volatile.base_image",
                    body.path("source").path("fingerprint").asString());
            config.put("image.deepsite.hostname", "true");
            things.put(key, body.put("status", "Stopped").put("project", project(asked)));
        }
        return operation(failing);
    }

    private static String project(Asked asked) {
        var query = String.valueOf(asked.query());
        return query.startsWith("project=") ? query.replaceFirst("^project=([^&]*).*", "$1") : "default";
    }

    private Answer put(String path, String[] parts, Asked asked, String failing) {
        if (parts.length == 5 && parts[4].equals("state")) {
            var thing = things.get("instances/" + parts[3]);
            if (failing.isEmpty()) {
                boolean start =
                        JSON.readTree(asked.body()).path("action").asString().equals("start");
                thing.put("status", start ? "Running" : "Stopped");
                if (start) {
                    speak(parts[3], null, null);
                } else {
                    silence(parts[3]);
                }
            }
            return operation(failing);
        }
        if (failing.isEmpty()) {
            things.put(path, (ObjectNode) JSON.readTree(asked.body()));
        }
        return operation(failing);
    }

    private Answer patch(String path, Asked asked) {
        var config = (ObjectNode) things.get(path).path("config");
        JSON.readTree(asked.body()).path("config").properties().forEach(entry -> {
            if (entry.getValue().asString().isEmpty()) {
                config.remove(entry.getKey());
            } else {
                config.set(entry.getKey(), entry.getValue());
            }
        });
        return ok(JSON.createObjectNode());
    }

    private Answer delete(String path, String failing) {
        if (failing.isEmpty()) {
            things.remove(path);
            files.remove(path.replaceFirst("^instances/", ""));
        }
        return path.startsWith("instances/") ? operation(failing) : ok(JSON.createObjectNode());
    }

    private Answer operation(String failing) {
        var id = "op" + number.incrementAndGet();
        operations.put(id, failing);
        var body = JSON.createObjectNode()
                .put("type", "async")
                .put("status_code", 100)
                .put("operation", "/1.0/operations/" + id);
        body.putObject("metadata");
        return new Answer(202, body.toString());
    }

    private static Answer ok(JsonNode metadata) {
        var body = JSON.createObjectNode().put("type", "sync").put("status_code", 200);
        body.set("metadata", metadata);
        return new Answer(200, body.toString());
    }

    private static Answer error(int status, String error) {
        var body = JSON.createObjectNode().put("type", "error").put("error_code", status);
        return new Answer(status, body.put("error", error).toString());
    }

    private static void closed(@Nullable FakeSshServer machine) {
        try {
            if (machine != null) {
                machine.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        stop();
        machines.values().forEach(FakeLxd::closed);
        Files.deleteIfExists(socket());
    }
}
