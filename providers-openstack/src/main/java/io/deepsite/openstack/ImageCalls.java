package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.openstack4j.model.common.Payloads;

/** Images that a site has as files. */
final class ImageCalls {
    /** The property that holds the names of those that the site asks for. */
    static final String PROPERTIES_KEY = Ownership.KEY + "-properties";

    private static final String PATCH = "application/openstack-images-v2.1-json-patch";

    private final Cloud cloud;
    private final TaggedResources things;
    private final Path folder;

    /** @param folder of site.yaml */
    ImageCalls(Cloud cloud, TaggedResources things, Path folder) {
        this.cloud = cloud;
        this.things = things;
        this.folder = folder;
    }

    /** An image whose upload did not finish is created again: Glance cannot continue an upload. */
    void create(Resource desired, Tags tags, Call call) {
        var found = things.find(Family.IMAGES, desired.id(), desired.name(), tags);
        if (found.isPresent()) {
            if (found.get().status().equals("active")) {
                return;
            }
            things.deleteById(Family.IMAGES, found.get().id(), desired.name(), call);
        }
        var values = desired.values();
        var body = new LinkedHashMap<String, Object>();
        body.put("name", desired.name());
        body.put("disk_format", values.getOrDefault(ImageChoice.FORMAT, "qcow2"));
        body.put("container_format", "bare");
        body.put("visibility", "private");
        body.put(Ownership.KEY, new Ownership(desired.id(), tags).text());
        body.putAll(properties(desired));
        var id = Nodes.text(cloud.rest(Service.IMAGE).post("/images", body), "id");
        call.progress("uploading");
        upload(id, folder.resolve(values.getOrDefault(ImageChoice.FILE, "")));
    }

    private void upload(String id, Path file) {
        try (var content = Files.newInputStream(file)) {
            cloud.client().imagesV2().upload(id, Payloads.create(content), null);
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.OPENSTACK_FILE,
                            "The file " + file + " cannot be read: " + FileFault.words(e) + ".",
                            "Relative paths start at the folder of site.yaml."),
                    e);
        }
    }

    private static Map<String, String> properties(Resource desired) {
        var properties = new TreeMap<String, String>();
        var asked = new TreeSet<String>();
        desired.values().forEach((attribute, value) -> {
            if (attribute.startsWith(ImageChoice.PROPERTY)) {
                var key = attribute.substring(ImageChoice.PROPERTY.length());
                properties.put(key, value);
                asked.add(key);
            } else {
                properties.put(Ownership.KEY + "-" + attribute, value);
            }
        });
        properties.put(PROPERTIES_KEY, String.join(",", asked));
        return properties;
    }

    void update(ObservedResource seen, Resource desired) {
        var image = things.need(Family.IMAGES, seen.id(), seen.tags());
        var wanted = properties(desired);
        var patch = new ArrayList<Map<String, String>>();
        wanted.forEach((key, value) ->
                patch.add(operation(image.properties().containsKey(key) ? "replace" : "add", key, value)));
        seen.attributes().keySet().stream()
                .filter(attribute -> attribute.startsWith(ImageChoice.PROPERTY))
                .map(attribute -> attribute.substring(ImageChoice.PROPERTY.length()))
                .filter(key -> !wanted.containsKey(key))
                .forEach(key -> patch.add(Map.of("op", "remove", "path", "/" + key)));
        patch(image.id(), patch);
    }

    void retag(ObservedResource seen, Ownership ownership) {
        things.find(Family.IMAGES, seen)
                .ifPresent(image -> patch(image.id(), List.of(operation("replace", Ownership.KEY, ownership.text()))));
    }

    private static Map<String, String> operation(String op, String key, String value) {
        return new TreeMap<>(Map.of("op", op, "path", "/" + key, "value", value));
    }

    /** @param patch operations of RFC 6902 */
    private void patch(String id, List<Map<String, String>> patch) {
        cloud.rest(Service.IMAGE).patch("/images/" + id, PATCH, patch);
    }
}
