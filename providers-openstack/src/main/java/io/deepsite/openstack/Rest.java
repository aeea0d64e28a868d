package io.deepsite.openstack;

import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;
import org.openstack4j.core.transport.HttpMethod;
import org.openstack4j.core.transport.HttpRequest;
import org.openstack4j.core.transport.internal.HttpExecutor;
import org.openstack4j.model.common.Payloads;
import tools.jackson.databind.JsonNode;

/**
 * One service by openstack4j's low-level client, with JSON as it is: for what its builders lack. Paths are below the
 * service's endpoint, version included: {@code /servers/detail}. Thread-safe.
 */
final class Rest {
    private final Cloud cloud;
    private final Service service;
    private final Optional<Microversion> version;

    Rest(Cloud cloud, Service service, Optional<Microversion> version) {
        this.cloud = cloud;
        this.service = service;
        this.version = version;
    }

    /** The same with a microversion on each call. */
    Rest at(Microversion of) {
        return new Rest(cloud, service, Optional.of(of));
    }

    /** @param path below the service's version, with a query or without: {@code /servers/detail?limit=100} */
    JsonNode get(String path) {
        return exchange(request(HttpMethod.GET, path)).json();
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
     * All of a collection, over as many pages as the service makes of it.
     *
     * @param key under which the answer has it: {@code servers}
     */
    List<JsonNode> list(String path, String key) {
        var all = new ArrayList<JsonNode>();
        var next = path;
        while (true) {
            var answer = exchange(request(HttpMethod.GET, next));
            var page = answer.json();
            if (!page.path(key).isArray()) {
                // Taken for an empty list, it would have all of it made a second time.
                throw answer.unlike("the service", "no list of " + key);
            }
            page.path(key).forEach(all::add);
            var marker = marker(page, key);
            if (marker.isEmpty() || page.path(key).isEmpty()) {
                return all;
            }
            next = path + (path.contains("?") ? "&" : "?") + "marker="
                    + URLEncoder.encode(marker.get(), StandardCharsets.UTF_8);
        }
    }

    JsonNode post(String path, Object body) {
        return exchange(json(HttpMethod.POST, path, body)).json();
    }

    JsonNode put(String path, Object body) {
        return exchange(json(HttpMethod.PUT, path, body)).json();
    }

    /** @param contentType of the body, which tells the service what kind of patch it is */
    void patch(String path, String contentType, Object body) {
        exchange(json(HttpMethod.PATCH, path, body).contentType(contentType));
    }

    /** @param content read as it is sent, once */
    void upload(String path, InputStream content) {
        exchange(request(HttpMethod.PUT, path)
                .contentType("application/octet-stream")
                .entity(Payloads.create(content)));
    }

    /** @return false when it was not there */
    boolean delete(String path) {
        try {
            exchange(request(HttpMethod.DELETE, path));
            return true;
        } catch (Refusal refusal) {
            if (refusal.isNotFound()) {
                return false;
            }
            throw refusal;
        }
    }

    /** What stands at the root of the API: its versions. */
    JsonNode root() {
        // Some catalogues name the project in the URL; the versions stand above it.
        var above = cloud.url(service).replaceFirst("/(AUTH_)?" + cloud.projectId() + "$", "");
        return exchange(request(HttpMethod.GET, "/").endpoint(above)).json();
    }

    static Map<String, String> header(Service service, Microversion version) {
        return Map.of("OpenStack-API-Version", service.microversionName() + " " + version);
    }

    private static Optional<String> marker(JsonNode page, String key) {
        for (var link : page.path(key + "_links")) {
            if (link.path("rel").asString("").equals("next")) {
                return query(link.path("href").asString(""));
            }
        }
        // Glance names a path.
        return page.path("next").isString()
                ? query("http://glance" + page.path("next").stringValue())
                : Optional.empty();
    }

    private static Optional<String> query(String href) {
        return Optional.ofNullable(HttpUrl.parse(href)).map(url -> url.queryParameter("marker"));
    }

    private static Answer exchange(HttpRequest.RequestBuilder<Void> request) {
        var reply = HttpExecutor.create().execute(request.build());
        if (reply instanceof OkHttpReply ours) {
            // "Not found" of one thing is no fault to openstack4j.
            if (ours.answer().isSuccess()) {
                return ours.answer();
            }
            throw ours.answer().refusal();
        }
        throw new IllegalStateException("another executor of openstack4j is on the class path: " + reply.getClass());
    }

    private HttpRequest.RequestBuilder<Void> json(HttpMethod method, String path, Object body) {
        return request(method, path).json(Json.MAPPER.writeValueAsString(body));
    }

    private HttpRequest.RequestBuilder<Void> request(HttpMethod method, String path) {
        var request = HttpRequest.builder(Void.class)
                .endpoint(cloud.url(service))
                .path(path)
                .method(method)
                .config(cloud.config());
        version.ifPresent(of -> request.headers(header(service, of)));
        return request;
    }
}
