package io.deepsite.openstack;

import io.deepsite.contract.Digests;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.provider.Boot;
import io.deepsite.provider.CloudConfig;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What Nova is asked when a server is made: everything at once, its tags included. */
final class ServerBody {
    private final TaggedResources things;
    private final Api api;
    private final Path folder;

    /** @param folder of site.yaml */
    ServerBody(TaggedResources things, Api api, Path folder) {
        this.things = things;
        this.api = api;
        this.folder = folder;
    }

    /** @param elsewhere a zone that the site does not ask for */
    Map<String, Object> of(Resource desired, Tags tags, Boot boot, Optional<String> elsewhere) {
        var values = desired.values();
        var server = new LinkedHashMap<String, Object>();
        server.put("name", desired.name());
        server.put("flavorRef", flavorId(values.getOrDefault(ServerAttributes.FLAVOR, "")));
        server.put("networks", List.of(Map.of("port", id(Kinds.port(desired.id().key()), tags))));
        disks(server, desired, tags);
        var metadata = new TreeMap<>(ServerAttributes.metadata(desired));
        metadata.put(Ownership.KEY, new Ownership(desired.id(), tags).text());
        metadata.putAll(digests(boot));
        server.put("metadata", metadata);
        server.put("user_data", userData(desired, boot));
        if (desired.dependsOn().contains(Kinds.THE_KEYPAIR)) {
            server.put("key_name", Ownership.keypairName(tags));
        }
        if (values.containsKey(ServerAttributes.CONFIG_DRIVE)) {
            server.put("config_drive", true);
        }
        Optional.ofNullable(values.get(ServerAttributes.ZONE))
                .or(() -> elsewhere)
                .ifPresent(zone -> server.put("availability_zone", zone));
        var body = new LinkedHashMap<String, Object>();
        body.put("server", server);
        if (values.containsKey(ServerAttributes.PLACEMENT)) {
            body.put("os:scheduler_hints", Map.of("group", id(serverGroup(desired), tags)));
        }
        return body;
    }

    /** The group of machines is written down nowhere else. */
    private static ResourceId serverGroup(Resource desired) {
        return desired.dependsOn().stream()
                .filter(id -> id.kind().equals(Kinds.SERVER_GROUP))
                .findFirst()
                .orElseThrow();
    }

    private void disks(Map<String, Object> server, Resource desired, Tags tags) {
        var values = desired.values();
        var image = imageId(desired, tags);
        var boot = values.get(ServerAttributes.BOOT);
        var data = values.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(ServerAttributes.VOLUME))
                .map(Map.Entry::getValue)
                .toList();
        if (boot == null) {
            server.put("imageRef", image);
        }
        if (boot == null && data.isEmpty()) {
            return;
        }
        var disks = new ArrayList<Map<String, Object>>();
        var root = new TreeMap<String, Object>(
                Map.of("boot_index", 0, "uuid", image, "source_type", "image", "delete_on_termination", true));
        root.put("destination_type", boot == null ? "local" : "volume");
        if (boot != null) {
            // volume 20GiB ssd
            var words = boot.split(" ", 3);
            root.put("volume_size", Integer.parseInt(words[1].replace("GiB", "")));
            if (words.length > 2) {
                root.put("volume_type", words[2]);
            }
        }
        disks.add(root);
        for (var key : data) {
            disks.add(new TreeMap<>(Map.of(
                    "boot_index",
                    -1,
                    "uuid",
                    id(new ResourceId(Kinds.VOLUME, key), tags),
                    "source_type",
                    "volume",
                    "destination_type",
                    "volume",
                    "delete_on_termination",
                    false)));
        }
        server.put("block_device_mapping_v2", disks);
    }

    /** An uploaded image is found by its tags, another one is named by its id. */
    private String imageId(Resource desired, Tags tags) {
        return desired.dependsOn().stream()
                .filter(id -> id.kind().equals(Kinds.IMAGE))
                .findFirst()
                .map(id -> id(id, tags))
                .orElseGet(() -> desired.values().getOrDefault(ServerAttributes.FINGERPRINT, ""));
    }

    private String userData(Resource desired, Boot boot) {
        // site.yaml's file, then its digest.
        var own = Optional.ofNullable(desired.values().get(ServerAttributes.USER_DATA))
                .map(text -> read(text.substring(0, text.lastIndexOf(' '))));
        var userData = UserData.of(desired, boot, own);
        if (UserData.isTooLong(userData)) {
            throw new Failure(Diagnostic.error(
                    Code.OPENSTACK_USER_DATA,
                    "The user data of " + desired.name() + " would have " + userData.length()
                            + " letters in base64, and Nova takes 65535. Nothing was changed.",
                    "Let the file in provider.openstack.groups fetch the rest, or put it into the image."));
        }
        return userData;
    }

    private String read(String path) {
        try {
            return Files.readString(folder.resolve(path));
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.OPENSTACK_FILE,
                            "The file " + folder.resolve(path) + " cannot be read: " + FileFault.words(e) + ".",
                            "Relative paths start at the folder of site.yaml."),
                    e);
        }
    }

    /** @throws Failure when it is gone */
    String flavorId(String name) {
        return api.list(Service.COMPUTE, "/flavors/detail?is_public=None", "flavors", Read::flavor).stream()
                .filter(flavor -> flavor.name().equals(name))
                .findFirst()
                .map(Snapshot.Flavor::id)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.OPENSTACK_FLAVOR_MISSING,
                        "The flavor " + name + " of " + things.cloud() + " is gone. Nothing was changed.",
                        "Plan again.")));
    }

    private String id(ResourceId id, Tags tags) {
        return Nodes.text(things.need(id, tags), "id");
    }

    /**
     * Metadata that tells whether a machine was made with these keys: who may log in, and its host key where the files hold
     * it; a machine that made its own has no use for that any more. Nobody guesses a key from its digest.
     */
    static Map<String, String> digests(Boot boot) {
        var digests = new TreeMap<String, String>();
        for (var file : boot.files()) {
            switch (file.path()) {
                case Boot.LOGIN_KEYS -> digests.put(ServerAttributes.LOGIN_KEY, Digests.sha256(file.content()));
                case CloudConfig.HOST_KEY -> digests.put(ServerAttributes.HOST_KEY, Digests.sha256(file.content()));
                default -> {}
            }
        }
        return digests;
    }
}
