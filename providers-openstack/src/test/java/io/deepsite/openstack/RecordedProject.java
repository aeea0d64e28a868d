package io.deepsite.openstack;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The project of {@link Recorded}, served by a {@link RecordedCloud}: its servers start, end and fail as a test says, one
 * step with each list that is read. Everything else of the project stays as it was recorded.
 */
final class RecordedProject {
    private static final String SERVERS = "/v2.1/servers";
    private static final String GONE = "gone";
    /** The filters of Neutron and Glance that deepsite uses. */
    private static final List<String> SELECTORS = List.of("name", "network_id");

    private final RecordedCloud cloud;
    private final ObjectNode lists;
    private final Map<String, Server> servers = new LinkedHashMap<>();
    private final Queue<List<String>> fates = new ConcurrentLinkedQueue<>();
    private final Queue<List<String>> actions = new ConcurrentLinkedQueue<>();
    private boolean actionsHidden;
    private int made;

    /** @param next its status in each following list */
    private record Server(ObjectNode node, Deque<String> next) {}

    RecordedProject(RecordedCloud cloud, Consumer<ObjectNode> change) {
        this.cloud = cloud;
        this.lists = (ObjectNode) RecordedCloud.recording("site");
        change.accept(lists);
        cloud.on("GET /v2.1/flavors/detail", request -> list(request, "flavors"))
                .on("GET /v2.1/os-server-groups", request -> list(request, "server_groups"))
                .on("GET /v2.1/os-keypairs", request -> list(request, "keypairs"))
                .on("GET /v2.1/os-availability-zone", request -> list(request, "availabilityZoneInfo"))
                .on("GET /v2/images", request -> list(request, "images"))
                .on("GET /v2.0/networks", request -> list(request, "networks"))
                .on("GET /v2.0/subnets", request -> list(request, "subnets"))
                .on("GET /v2.0/routers", request -> list(request, "routers"))
                .on("GET /v2.0/ports", request -> list(request, "ports"))
                .on("GET /v2.0/security-groups", request -> list(request, "security_groups"))
                .on("GET /v2.0/floatingips", request -> list(request, "floatingips"))
                .on("GET " + SERVERS, this::names)
                .on("GET " + SERVERS + "/detail", this::servers)
                .on("POST " + SERVERS, this::post);
    }

    /** The statuses of the next server that is created, after BUILD; {@code ERROR east} fails on a host of that zone. */
    RecordedProject nextServer(String... statuses) {
        fates.add(List.of(statuses));
        return this;
    }

    /** The statuses of a server after the next action, such as start or reboot. */
    RecordedProject nextAction(String... statuses) {
        actions.add(List.of(statuses));
        return this;
    }

    /** A policy that hides the actions on servers from their users. */
    synchronized RecordedProject hideActions() {
        actionsHidden = true;
        return this;
    }

    synchronized List<String> statuses() {
        return servers.values().stream()
                .map(server -> Nodes.text(server.node(), "status"))
                .toList();
    }

    private MockResponse list(RecordedRequest request, String key) {
        var answer = Json.MAPPER.createObjectNode();
        var all = answer.putArray(key);
        lists.path(key).valueStream().filter(node -> isSelected(node, request)).forEach(all::add);
        return json(answer);
    }

    private static boolean isSelected(JsonNode node, RecordedRequest request) {
        return SELECTORS.stream().allMatch(key -> {
            var wanted = query(request, key);
            return wanted == null || wanted.equals(Nodes.text(node, key));
        });
    }

    private synchronized MockResponse servers(RecordedRequest request) {
        step();
        // A list does not say why a server failed that was never on a host.
        return list(request, node -> node.remove("fault"));
    }

    private synchronized MockResponse names(RecordedRequest request) {
        return list(request, node -> node.retain("id", "name", "links"));
    }

    /** @param cut removes what the list does not show */
    private MockResponse list(RecordedRequest request, Consumer<ObjectNode> cut) {
        // Nova searches names for a regular expression.
        var name = Pattern.compile(Objects.requireNonNullElse(query(request, "name"), ""));
        var answer = Json.MAPPER.createObjectNode();
        var all = answer.putArray("servers");
        servers.values().stream()
                .map(server -> server.node().deepCopy())
                .filter(node -> name.matcher(Nodes.text(node, "name")).find())
                .forEach(node -> {
                    cut.accept(node);
                    all.add(node);
                });
        return json(answer);
    }

    /** Gives each server its next status. */
    synchronized void step() {
        for (var server : new ArrayList<>(servers.values())) {
            step(server);
        }
    }

    private void step(Server server) {
        var status = server.next().poll();
        if (status == null) {
            return;
        }
        if (status.equals(GONE)) {
            servers.remove(Nodes.text(server.node(), "id"));
            return;
        }
        var words = status.split(" ");
        server.node().put("status", words[0]).put("OS-EXT-AZ:availability_zone", words.length > 1 ? words[1] : "");
        if (words[0].equals("ERROR")) {
            server.node().set("fault", recordedServer().path("fault"));
        } else {
            server.node().remove("fault");
        }
        if (status.equals("ACTIVE") || status.equals("SHUTOFF")) {
            server.node().put("OS-SRV-USG:launched_at", "2026-11-21T16:48:31.000000");
        }
    }

    private static JsonNode recordedServer() {
        return RecordedCloud.recording("nova-server-in-error").path("body").path("server");
    }

    private synchronized MockResponse post(RecordedRequest request) {
        var asked = Json.MAPPER
                .readTree(Objects.requireNonNull(request.getBody()).utf8())
                .path("server");
        made++;
        var recordedId = Nodes.text(recordedServer(), "id");
        var id = numbered(recordedId);
        var recordedRequest = RecordedCloud.recording("nova-server-posted")
                .path("headers")
                .path("x-openstack-request-id")
                .asString();
        var requestId = numbered(recordedRequest);
        var node = (ObjectNode) recordedServer().deepCopy();
        node.put("id", id).put("name", Nodes.text(asked, "name")).put("status", "BUILD");
        node.set("metadata", asked.path("metadata"));
        node.withObject("flavor").put("original_name", flavor(Nodes.text(asked, "flavorRef")));
        node.remove("fault");
        var server = new Server(node, new ArrayDeque<>(List.of("BUILD")));
        server.next().addAll(Objects.requireNonNull(fates.poll(), "no test set what becomes of this server"));
        servers.put(id, server);
        var path = SERVERS + "/" + id;
        cloud.on("GET " + path, _ -> one(id))
                .on("DELETE " + path, _ -> delete(id))
                .on("POST " + path + "/action", _ -> act(id))
                .on(
                        "GET " + path + "/os-instance-actions",
                        _ -> isHidden()
                                ? cloud.answer("nova-forbidden")
                                : cloud.answer(
                                        "nova-instance-actions",
                                        body -> body.replace(recordedId, id).replace(recordedRequest, requestId)));
        return cloud.answer("nova-server-posted", body -> body.replace(recordedId, id));
    }

    private synchronized boolean isHidden() {
        return actionsHidden;
    }

    /** The last digits say which of several servers it is. */
    private String numbered(String recorded) {
        return recorded.substring(0, recorded.length() - 4) + String.format("%04d", made);
    }

    private String flavor(String id) {
        return lists.path("flavors")
                .valueStream()
                .filter(flavor -> Nodes.text(flavor, "id").equals(id))
                .map(flavor -> Nodes.text(flavor, "name"))
                .findFirst()
                .orElseThrow();
    }

    private synchronized MockResponse one(String id) {
        var server = servers.get(id);
        if (server == null) {
            return notFound(id);
        }
        var answer = Json.MAPPER.createObjectNode();
        answer.set("server", server.node().deepCopy());
        return json(answer);
    }

    /** One more list has it: Nova deletes later than it answers. */
    private synchronized MockResponse delete(String id) {
        return turn(id, List.of(statusOf(id), GONE), 204);
    }

    private synchronized MockResponse act(String id) {
        return turn(id, Objects.requireNonNull(actions.poll(), "no test set what becomes of it"), 202);
    }

    private MockResponse turn(String id, List<String> next, int status) {
        var server = servers.get(id);
        if (server == null) {
            return notFound(id);
        }
        server.next().clear();
        server.next().addAll(next);
        return new MockResponse.Builder().code(status).build();
    }

    private String statusOf(String id) {
        var server = servers.get(id);
        return server == null ? GONE : Nodes.text(server.node(), "status");
    }

    private MockResponse notFound(String id) {
        return cloud.answer("nova-server-not-found", body -> body.replace(Nodes.text(recordedServer(), "id"), id));
    }

    private static @Nullable String query(RecordedRequest request, String key) {
        return Objects.requireNonNull(request.getUrl()).queryParameter(key);
    }

    private static MockResponse json(ObjectNode body) {
        return new MockResponse.Builder()
                .code(200)
                .setHeader("Content-Type", "application/json")
                .body(body.toString())
                .build();
    }

    /** For the constructor: only these of a family. */
    static Consumer<ObjectNode> only(String family, ObjectNode... kept) {
        return tree -> {
            var array = tree.putArray(family);
            Arrays.stream(kept).forEach(array::add);
        };
    }
}
