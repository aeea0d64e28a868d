package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;
import org.openstack4j.core.transport.HttpMethod;
import org.openstack4j.core.transport.HttpRequest;
import org.openstack4j.core.transport.internal.HttpExecutor;
import org.openstack4j.model.common.Payloads;
import tools.jackson.databind.JsonNode;

/**
 * The services of one project as the resources of a site need them: JSON as it is, with descriptions and tags that
 * openstack4j's builders do not know. Faults end with {@link Refusal} or {@code diag.Failure}. Thread-safe.
 */
final class Api {
    /** Flavors with extra specs in lists, policies of server groups, types of boot volumes. OpenStack Stein, 2019. */
    private static final Microversion COMPUTE = new Microversion(2, 67);
    /** Volumes grow while they are attached. OpenStack Pike, 2017; an older Cinder serves everything else. */
    private static final Microversion VOLUME = new Microversion(3, 42);

    private static final String IMAGE_PATCH = "application/openstack-images-v2.1-json-patch";

    private final Cloud cloud;

    Api(Cloud cloud) {
        this.cloud = cloud;
    }

    boolean offers(Service service) {
        return cloud.offers(service);
    }

    /** @param path below the service's version, with a query or without: {@code /servers/detail?limit=100} */
    JsonNode get(Service service, String path) {
        return rest(service).get(plain(path), query(path));
    }

    /** All of a collection. */
    <T> List<T> list(Service service, String path, String key, Function<JsonNode, T> read) {
        return rest(service).list(plain(path), key, query(path)).stream()
                .map(read)
                .toList();
    }

    JsonNode post(Service service, String path, Object body) {
        return rest(service).post(path, body);
    }

    JsonNode put(Service service, String path, Object body) {
        return rest(service).put(path, body);
    }

    /** @return false when it was not there */
    boolean delete(Service service, String path) {
        return rest(service).delete(path);
    }

    /** @param patch operations of RFC 6902 */
    void patchImage(String id, List<Map<String, String>> patch) {
        send(image(HttpMethod.PATCH, "/images/" + id)
                .contentType(IMAGE_PATCH)
                .json(Json.MAPPER.writeValueAsString(patch))
                .build());
    }

    /** Sends a file as the content of an image. */
    void upload(String id, Path file) {
        try (InputStream content = Files.newInputStream(file)) {
            send(image(HttpMethod.PUT, "/images/" + id + "/file")
                    .contentType("application/octet-stream")
                    .entity(Payloads.create(content))
                    .build());
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.OPENSTACK_FILE,
                            "The file " + file + " cannot be read: " + FileFault.words(e) + ".",
                            "Relative paths start at the folder of site.yaml."),
                    e);
        }
    }

    private HttpRequest.RequestBuilder<Void> image(HttpMethod method, String path) {
        return HttpRequest.builder(Void.class)
                .endpoint(cloud.url(Service.IMAGE))
                .path(path)
                .method(method)
                .config(cloud.config());
    }

    private static void send(HttpRequest<Void> request) {
        var reply = HttpExecutor.create().execute(request);
        // "Not found" of one thing is no fault to openstack4j.
        if (reply instanceof OkHttpReply ours && !ours.answer().isSuccess()) {
            throw ours.answer().refusal();
        }
    }

    private Rest rest(Service service) {
        return switch (service) {
            case COMPUTE -> cloud.rest(service).at(compute());
            case VOLUME ->
                cloud.versions(service)
                        .upTo(VOLUME)
                        .map(version -> cloud.rest(service).at(version))
                        .orElseGet(() -> cloud.rest(service));
            default -> cloud.rest(service);
        };
    }

    private Microversion compute() {
        var versions = cloud.versions(Service.COMPUTE);
        if (!versions.takes(COMPUTE)) {
            throw new Failure(Diagnostic.error(
                    Code.OPENSTACK_VERSION,
                    "Nova at " + cloud.url(Service.COMPUTE) + " takes the microversions " + versions.least() + " to "
                            + versions.most() + "; deepsite speaks " + COMPUTE + ".",
                    "Use a cloud of OpenStack Stein (2019) or later."));
        }
        return COMPUTE;
    }

    private static String plain(String path) {
        int mark = path.indexOf('?');
        return mark < 0 ? path : path.substring(0, mark);
    }

    private static Map<String, String> query(String path) {
        var query = new LinkedHashMap<String, String>();
        var url = HttpUrl.get("http://query" + path);
        for (int i = 0; i < url.querySize(); i++) {
            query.put(url.queryParameterName(i), nothing(url.queryParameterValue(i)));
        }
        return query;
    }

    private static String nothing(@Nullable String text) {
        return text == null ? "" : text;
    }
}
