package io.deepsite.openstack;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A block storage service that the testbed's cloud does not have: it answers as the Block Storage API v3 documents.
 * Volumes change by one step with each list that is read.
 */
final class RecordedVolumes {
    private static final String PROJECT = "15dd20f7078e4752b1caea5a178f9c9f";
    private static final String PATH = "/volume/v3/" + PROJECT;

    private final RecordedCloud cloud;
    private final Map<String, ObjectNode> volumes = new LinkedHashMap<>();
    private final Map<String, Deque<String>> next = new LinkedHashMap<>();
    private int made;

    RecordedVolumes(RecordedCloud cloud) {
        this.cloud = cloud;
        var url = cloud.url(PATH.substring(1));
        cloud.on(
                        "POST /v3/auth/tokens",
                        _ -> cloud.answer(
                                "token",
                                body -> body.replaceFirst(
                                        "\"catalog\" ?: ?\\[",
                                        "\"catalog\":[{\"type\":\"block-storage\",\"endpoints\":[{\"interface\":\"public\","
                                                + "\"region_id\":\"RegionOne\",\"url\":\"" + url + "\"}]},")))
                .on("GET /volume/v3/", _ -> json("""
                        {"versions": [{"id": "v3.0", "status": "CURRENT", "version": "3.70", "min_version": "3.0"}]}"""))
                .on("GET " + PATH + "/volumes/detail", this::list)
                .on("POST " + PATH + "/volumes", this::post);
    }

    synchronized List<ObjectNode> all() {
        return List.copyOf(volumes.values());
    }

    private synchronized MockResponse list(RecordedRequest request) {
        for (var id : List.copyOf(volumes.keySet())) {
            var status = next.get(id).poll();
            if ("gone".equals(status)) {
                volumes.remove(id);
            } else if (status != null) {
                turn(volumes.get(id), status);
            }
        }
        var name = Objects.requireNonNull(request.getUrl()).queryParameter("name");
        var answer = Json.MAPPER.createObjectNode();
        var shown = answer.putArray("volumes");
        volumes.values().stream()
                .filter(volume -> name == null || name.equals(Nodes.text(volume, "name")))
                .forEach(shown::add);
        return json(answer.toString());
    }

    /** A size, or a status. */
    private static void turn(ObjectNode volume, String to) {
        if (to.matches("[0-9]+")) {
            volume.put("size", Integer.parseInt(to)).put("status", "available");
        } else {
            volume.put("status", to);
        }
    }

    private synchronized MockResponse post(RecordedRequest request) {
        var asked = body(request).path("volume");
        made++;
        var id = "5aa119a8-d25b-45a7-8d1b-88e127885e6" + made;
        var volume = (ObjectNode) asked.deepCopy();
        volume.put("id", id).put("status", "creating").putArray("attachments");
        volumes.put(id, volume);
        next.put(id, new ArrayDeque<>(List.of("available")));
        var path = PATH + "/volumes/" + id;
        cloud.on(
                        "GET " + path,
                        _ -> json(Json.MAPPER
                                .createObjectNode()
                                .set("volume", volume)
                                .toString()))
                .on("DELETE " + path, _ -> delete(id))
                .on("POST " + path + "/action", extend -> extend(id, extend))
                .on("POST " + path + "/metadata", tags -> tag(volume, tags));
        return new MockResponse.Builder()
                .code(202)
                .setHeader("Content-Type", "application/json")
                .body(Json.MAPPER.createObjectNode().set("volume", volume).toString())
                .build();
    }

    /** Its statuses in the following lists. */
    synchronized void then(ObjectNode volume, String... statuses) {
        next.put(Nodes.text(volume, "id"), new ArrayDeque<>(List.of(statuses)));
    }

    synchronized void attach(ObjectNode volume, String server) {
        volume.put("status", "in-use").withArray("attachments").addObject().put("server_id", server);
    }

    private synchronized MockResponse delete(String id) {
        var volume = Objects.requireNonNull(volumes.get(id));
        if (Nodes.text(volume, "status").equals("in-use")) {
            return new MockResponse.Builder()
                    .code(400)
                    .setHeader("Content-Type", "application/json")
                    .setHeader("x-openstack-request-id", "req-0c4e7a06-2f5b-4d2c-9d8e-51c3ba5e2a77")
                    .body("""
                            {"badRequest": {"code": 400, "message": "Invalid volume: Volume status must be available or error or error_restoring or error_extending or error_managing and must not be migrating, attached, belong to a group, have snapshots or be disassociated from snapshots after volume transfer."}}""")
                    .build();
        }
        volume.put("status", "deleting");
        next.put(id, new ArrayDeque<>(List.of("deleting", "gone")));
        return new MockResponse.Builder().code(202).build();
    }

    private synchronized MockResponse extend(String id, RecordedRequest request) {
        var size = body(request).path("os-extend").path("new_size").asString();
        next.put(id, new ArrayDeque<>(List.of("extending", size)));
        return new MockResponse.Builder().code(202).build();
    }

    private synchronized MockResponse tag(ObjectNode volume, RecordedRequest request) {
        body(request)
                .path("metadata")
                .properties()
                .forEach(entry -> volume.withObject("metadata").set(entry.getKey(), entry.getValue()));
        return json("{\"metadata\": " + volume.path("metadata") + "}");
    }

    private static JsonNode body(RecordedRequest request) {
        return Json.MAPPER.readTree(Objects.requireNonNull(request.getBody()).utf8());
    }

    private static MockResponse json(String body) {
        return new MockResponse.Builder()
                .code(200)
                .setHeader("Content-Type", "application/json")
                .body(body)
                .build();
    }
}
