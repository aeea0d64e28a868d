package io.deepsite.openstack;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import tools.jackson.databind.JsonNode;

/**
 * Raw requests to one service, for what openstack4j's model cannot say (ADR 21). Paths are below the service's endpoint,
 * version included: {@code /servers/detail}. Thread-safe.
 */
final class Rest {
    private final Cloud cloud;
    private final Service service;

    Rest(Cloud cloud, Service service) {
        this.cloud = cloud;
        this.service = service;
    }

    /** @param path below the service's version, with a query or without: {@code /servers/detail?limit=100} */
    JsonNode get(String path) {
        return read(url(path)).json();
    }

    /** Empty when it is not there. */
    Optional<JsonNode> find(String path) {
        try {
            return Optional.of(get(path));
        } catch (Refusal refusal) {
            if (refusal.isNotFound()) {
                return Optional.empty();
            }
            throw refusal;
        }
    }

    /**
     * All of a collection.
     *
     * @param key of the collection in the answer: {@code servers}
     */
    List<JsonNode> list(String path, Map<String, String> query, String key) {
        var url = url(path).newBuilder();
        query.forEach(url::addQueryParameter);
        return new Pages(url.build(), this::read).items(key);
    }

    JsonNode post(String path, Object body) {
        return send("POST", path, JsonBody.JSON, body);
    }

    JsonNode put(String path, Object body) {
        return send("PUT", path, JsonBody.JSON, body);
    }

    /** @param type of the body, which says what kind of patch it is */
    void patch(String path, String type, Object body) {
        send("PATCH", path, MediaType.get(type), body);
    }

    void delete(String path) {
        cloud.send(service, new Request.Builder().url(url(path)).delete()).orRefuse();
    }

    private JsonNode send(String method, String path, MediaType type, Object body) {
        var json = new JsonBody(type, Json.MAPPER.writeValueAsBytes(body));
        return cloud.send(service, new Request.Builder().url(url(path)).method(method, json))
                .orRefuse()
                .json();
    }

    private HttpUrl url(String path) {
        return HttpUrl.get(cloud.url(service) + path);
    }

    private Answer read(HttpUrl url) {
        return cloud.send(service, new Request.Builder().url(url)).orRefuse();
    }
}
