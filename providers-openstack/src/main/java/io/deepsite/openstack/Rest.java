package io.deepsite.openstack;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;
import org.openstack4j.core.transport.HttpMethod;
import org.openstack4j.core.transport.HttpRequest;
import org.openstack4j.core.transport.internal.HttpExecutor;
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

    JsonNode get(String path) {
        return get(path, Map.of());
    }

    JsonNode get(String path, Map<String, String> query) {
        return exchange(HttpMethod.GET, path, query, null).json();
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
    List<JsonNode> list(String path, String key, Map<String, String> query) {
        var all = new ArrayList<JsonNode>();
        Map<String, String> next = query;
        while (true) {
            var page = get(path, next);
            page.path(key).forEach(all::add);
            var marker = marker(page, key);
            if (marker.isEmpty() || page.path(key).isEmpty()) {
                return all;
            }
            next = new LinkedHashMap<>(query);
            next.put("marker", marker.get());
        }
    }

    JsonNode post(String path, Object body) {
        return exchange(HttpMethod.POST, path, Map.of(), body).json();
    }

    JsonNode put(String path, Object body) {
        return exchange(HttpMethod.PUT, path, Map.of(), body).json();
    }

    /** @return false when it was not there */
    boolean delete(String path) {
        try {
            exchange(HttpMethod.DELETE, path, Map.of(), null);
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
        var url = cloud.url(service);
        // Some catalogues name the project in the URL; the versions stand above it.
        var above = url.replaceFirst("/(AUTH_)?" + cloud.projectId() + "$", "");
        return exchange(request(HttpMethod.GET, above, "/", Map.of(), null)).json();
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

    private Answer exchange(HttpMethod method, String path, Map<String, String> query, @Nullable Object body) {
        return exchange(request(method, cloud.url(service), path, query, body));
    }

    private Answer exchange(HttpRequest<Void> request) {
        var reply = HttpExecutor.create().execute(request);
        if (reply instanceof OkHttpReply ours) {
            if (ours.answer().isSuccess()) {
                return ours.answer();
            }
            throw ours.answer().refusal();
        }
        throw new IllegalStateException("another executor of openstack4j is on the class path: " + reply.getClass());
    }

    private HttpRequest<Void> request(
            HttpMethod method, String url, String path, Map<String, String> query, @Nullable Object body) {
        var request = HttpRequest.builder(Void.class)
                .endpoint(url)
                .path(path)
                .method(method)
                .config(cloud.config());
        query.forEach(request::queryParam);
        version.ifPresent(of -> request.headers(header(service, of)));
        if (body != null) {
            request.json(Json.MAPPER.writeValueAsString(body));
        }
        return request.build();
    }
}
