package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
        return rest(service).get(path);
    }

    /** All of a collection. */
    <T> List<T> list(Service service, String path, String key, Function<JsonNode, T> read) {
        return rest(service).list(path, key).stream().map(read).toList();
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
        rest(Service.IMAGE).patch("/images/" + id, IMAGE_PATCH, patch);
    }

    /** Sends a file as the content of an image. */
    void upload(String id, Path file) {
        try (InputStream content = Files.newInputStream(file)) {
            rest(Service.IMAGE).upload("/images/" + id + "/file", content);
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.OPENSTACK_FILE,
                            "The file " + file + " cannot be read: " + FileFault.words(e) + ".",
                            "Relative paths start at the folder of site.yaml."),
                    e);
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
}
