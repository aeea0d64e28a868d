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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.openstack4j.api.Builders;
import org.openstack4j.model.compute.BDMDestType;
import org.openstack4j.model.compute.BDMSourceType;
import org.openstack4j.model.compute.ServerCreate;
import org.openstack4j.model.compute.builder.ServerCreateBuilder;

/** The request that creates a server: everything at once, its tags included. */
final class ServerBody {
    private final Cloud cloud;
    private final TaggedResources things;
    private final Path folder;

    /** @param folder of site.yaml */
    ServerBody(Cloud cloud, TaggedResources things, Path folder) {
        this.cloud = cloud;
        this.things = things;
        this.folder = folder;
    }

    /** @param elsewhere a zone that the site does not ask for */
    ServerCreate of(Resource desired, Tags tags, Boot boot, Optional<String> elsewhere) {
        var values = desired.values();
        var metadata = new TreeMap<>(ServerAttributes.metadata(desired));
        metadata.put(Ownership.KEY, new Ownership(desired.id(), tags).text());
        metadata.putAll(digests(boot));
        var server = Builders.server()
                .name(desired.name())
                .flavor(flavorId(values.getOrDefault(ServerAttributes.FLAVOR, "")))
                .addNetworkPort(things.id(Kinds.port(desired.id().key()), tags))
                .addMetadata(metadata)
                .userData(userData(desired, boot));
        disks(server, desired, tags);
        if (desired.dependsOn().contains(Kinds.THE_KEYPAIR)) {
            server.keypairName(Ownership.keypairName(tags));
        }
        if (values.containsKey(ServerAttributes.CONFIG_DRIVE)) {
            server.configDrive(true);
        }
        Optional.ofNullable(values.get(ServerAttributes.ZONE))
                .or(() -> elsewhere)
                .ifPresent(server::availabilityZone);
        if (values.containsKey(ServerAttributes.PLACEMENT)) {
            server.addSchedulerHint("group", things.id(serverGroup(desired), tags));
        }
        return server.build();
    }

    /** Nothing else holds the group of machines. */
    private static ResourceId serverGroup(Resource desired) {
        return desired.dependsOn().stream()
                .filter(id -> id.kind().equals(Kinds.SERVER_GROUP))
                .findFirst()
                .orElseThrow();
    }

    private void disks(ServerCreateBuilder server, Resource desired, Tags tags) {
        var values = desired.values();
        var image = imageId(desired, tags);
        var boot = values.get(ServerAttributes.BOOT);
        var data = values.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(ServerAttributes.VOLUME))
                .map(Map.Entry::getValue)
                .toList();
        if (boot == null) {
            server.image(image);
        }
        if (boot == null && data.isEmpty()) {
            return;
        }
        var root = Builders.blockDeviceMapping()
                .bootIndex(0)
                .uuid(image)
                .sourceType(BDMSourceType.IMAGE)
                .destinationType(boot == null ? BDMDestType.LOCAL : BDMDestType.VOLUME)
                .deleteOnTermination(true);
        if (boot != null) {
            // volume 20GiB ssd
            var words = boot.split(" ", 3);
            root.volumeSize(Integer.parseInt(words[1].replace("GiB", "")));
            if (words.length > 2) {
                root.volumeType(words[2]);
            }
        }
        server.blockDevice(root.build());
        for (var key : data) {
            server.blockDevice(Builders.blockDeviceMapping()
                    .bootIndex(-1)
                    .uuid(things.id(new ResourceId(Kinds.VOLUME, key), tags))
                    .sourceType(BDMSourceType.VOLUME)
                    .destinationType(BDMDestType.VOLUME)
                    .deleteOnTermination(false)
                    .build());
        }
    }

    /** A baked image is found by its name, an uploaded one by its tags, another one is named by its id. */
    private String imageId(Resource desired, Tags tags) {
        return desired.bakedImage().map(this::bakedId).orElseGet(() -> ownId(desired, tags));
    }

    private String bakedId(String name) {
        return Family.IMAGES.list(cloud, Map.of("name", name)).stream()
                .filter(image -> image.name().equals(name) && image.isBaked())
                .findFirst()
                .map(Snapshot.Image::id)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.OPENSTACK_IMAGE_MISSING,
                        "The baked image " + name + " of " + things.words() + " is gone. Nothing was changed.",
                        "Plan again: machines then start from the image that site.yaml names.")));
    }

    private String ownId(Resource desired, Tags tags) {
        return desired.dependsOn().stream()
                .filter(id -> id.kind().equals(Kinds.IMAGE))
                .findFirst()
                .map(id -> things.id(id, tags))
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
                            + " characters in base64; Nova's limit is 65535. Nothing was changed.",
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

    /** @throws Failure when the cloud no longer has it */
    String flavorId(String name) {
        return Family.FLAVORS.all(cloud).stream()
                .filter(flavor -> flavor.name().equals(name))
                .findFirst()
                .map(Snapshot.Flavor::id)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.OPENSTACK_FLAVOR_MISSING,
                        "The flavor " + name + " of " + things.words() + " is gone. Nothing was changed.",
                        "Plan again.")));
    }

    /**
     * Metadata that says whether a machine was created with these keys: those of its users, and its host key if the files hold
     * one (a machine that generated its own does not need it). A key cannot be guessed from its digest.
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
