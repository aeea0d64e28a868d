package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.provider.ImageStore;
import io.deepsite.provider.ObservedResource;
import io.deepsite.site.ImageName;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.Request;
import okhttp3.RequestBody;

/** The family {@code /1.0/images}. */
final class LxdImages implements ImageStore {
    private static final MediaType BYTES = MediaType.get("application/octet-stream");

    private final Rest rest;
    private final Operations operations;
    private final Faults faults;
    private final Recipes recipes;
    private final Map<ImageName, LxdImage> servers;
    private final Path folder;
    private final MachineCalls machines;

    /**
     * @param servers the servers of images that are pulled
     * @param folder of site.yaml
     */
    LxdImages(
            Rest rest,
            Operations operations,
            Faults faults,
            Recipes recipes,
            Map<ImageName, LxdImage> servers,
            Path folder,
            MachineCalls machines) {
        this.rest = rest;
        this.operations = operations;
        this.faults = faults;
        this.recipes = recipes;
        this.servers = servers;
        this.folder = folder;
        this.machines = machines;
    }

    @Override
    public List<StoredImage> images() {
        try {
            return rest.list(rest.path("images"), Image.class).stream()
                    .map(LxdImages::stored)
                    .sorted(Comparator.comparing((StoredImage image) -> String.join(",", image.names()))
                            .thenComparing(StoredImage::fingerprint))
                    .toList();
        } catch (Refusal refusal) {
            throw faults.refused(refusal);
        }
    }

    private static StoredImage stored(Image image) {
        return new StoredImage(
                image.aliases().stream().map(Image.Alias::name).sorted().toList(),
                image.fingerprint(),
                image.size(),
                image.properties().getOrDefault("description", ""),
                time(image.uploadedAt()));
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    @Override
    public void build(ImageName image, Call call) {
        try {
            var out = Files.createTempDirectory(largeTemporary(), "deepsite-image-");
            try {
                call.progress("building " + image);
                store(image, recipes.build(image, out, call), call);
            } finally {
                remove(out);
            }
        } catch (Refusal refusal) {
            throw faults.refused(refusal.leaving("The image " + image + " was built but not stored."));
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.LXD_IMAGE_NOT_BUILT,
                            "A file of the image cannot be read or written: " + e.getMessage()
                                    + ". No image was stored.",
                            "Check the free space in " + largeTemporary() + "."),
                    e);
        }
    }

    @Override
    public void pull(ImageName image, Call call) {
        var from = servers.get(image);
        if (from == null) {
            throw new Failure(Diagnostic.error(
                    Code.LXD_IMAGE_NOT_FETCHED,
                    setting("images") + " names no server for " + image + ".",
                    "Add it there, and name the site with --site; or build the image, if deepsite has a recipe for it:",
                    "deepsite image build " + image));
        }
        var source = new LinkedHashMap<>(Map.of(
                "type",
                "image",
                "mode",
                "pull",
                "protocol",
                "simplestreams",
                "server",
                from.server(),
                "alias",
                from.alias()));
        source.put("image_type", from.type());
        from.certificate()
                .ifPresent(file -> source.put(
                        "certificate",
                        ClientIdentity.text(file, folder, faults.at().daemon())));
        try {
            call.progress("fetching " + image);
            var started = rest.send("POST", rest.path("images"), Map.of("source", source));
            operations.await(started, "POST /1.0/images", call);
            point(image, fetched(from));
        } catch (Refusal refusal) {
            throw new Failure(
                    Diagnostic.error(
                            Code.LXD_IMAGE_NOT_FETCHED,
                            faults.at() + " could not fetch " + from.alias() + " from "
                                    + from.server() + ": " + refusal.error() + ". The name " + image
                                    + " was not changed.",
                            "Check " + setting("images") + ", and that "
                                    + faults.at().daemon().host() + " reaches that server."),
                    refusal);
        }
    }

    /** LXD records where an image came from; of several, the one fetched last. */
    private String fetched(LxdImage from) {
        return rest.list(rest.path("images"), Image.class).stream()
                .filter(image -> image.updateSource() != null
                        && image.updateSource().alias().equals(from.alias())
                        && plain(image.updateSource().server()).equals(plain(from.server()))
                        && image.type().equals(from.type()))
                .max(Comparator.comparing(Image::uploadedAt))
                .map(Image::fingerprint)
                .orElseThrow(() -> new Refusal(404, "GET /1.0/images", "it is not among the stored images"));
    }

    private static String plain(String server) {
        return server.replaceFirst("/+$", "");
    }

    private void store(ImageName image, Recipes.Built built, Call call) throws IOException {
        var fingerprint = fingerprint(built);
        if (rest.find(rest.path("images", fingerprint), Image.class).isEmpty()) {
            call.progress("storing " + image);
            var body = new MultipartBody.Builder()
                    .setType(MultipartBody.FORM)
                    .addFormDataPart(
                            "metadata",
                            "metadata.tar.xz",
                            RequestBody.create(built.metadata().toFile(), BYTES))
                    .addFormDataPart(
                            "rootfs",
                            "rootfs.squashfs",
                            RequestBody.create(built.rootfs().toFile(), BYTES))
                    .build();
            var started = rest.post(new Request.Builder(), rest.path("images"), body);
            operations.await(started, "POST /1.0/images", call);
        }
        point(image, fingerprint);
    }

    /** LXD's fingerprint of an image of two files: the digest of both, concatenated. */
    private static String fingerprint(Recipes.Built built) throws IOException {
        try {
            var sha256 = MessageDigest.getInstance("SHA-256");
            try (var sink = new DigestOutputStream(OutputStream.nullOutputStream(), sha256)) {
                Files.copy(built.metadata(), sink);
                Files.copy(built.rootfs(), sink);
            }
            return HexFormat.of().formatHex(sha256.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void publish(ObservedResource machine, String name, String description, Call call) {
        try {
            if (rest.find(rest.path("images", "aliases", name), Image.AliasEntry.class)
                    .isEmpty()) {
                machines.publish(machine, properties(machine, name, description), name, call);
            }
        } catch (Refusal refusal) {
            throw faults.refused(refusal.leaving("The image " + name + " was not stored."));
        }
    }

    /** Those of the image that it is made of: LXD's templates and its other clients read them. */
    private Map<String, String> properties(ObservedResource machine, String name, String description) {
        var of = machine.attributes().getOrDefault(MachineAttributes.FINGERPRINT, "");
        var properties = new TreeMap<String, String>();
        rest.find(rest.path("images", of), Image.class)
                .ifPresent(image -> properties.putAll(image.value().properties()));
        properties.put("description", description);
        properties.put(Image.BAKED, name);
        return properties;
    }

    private void point(ImageName image, String fingerprint) {
        var alias = rest.path("images", "aliases", image.value());
        if (rest.find(alias, Image.AliasEntry.class).isPresent()) {
            rest.send("PUT", rest.path("images", "aliases", image.value()), Map.of("target", fingerprint));
        } else {
            rest.send("POST", rest.path("images", "aliases"), Map.of("name", image.value(), "target", fingerprint));
        }
    }

    @Override
    public void delete(ImageName image, Call call) {
        try {
            var alias = rest.find(rest.path("images", "aliases", image.value()), Image.AliasEntry.class)
                    .orElseThrow(() -> new Failure(Diagnostic.error(
                            Code.LXD_IMAGE_MISSING,
                            faults.at() + " has no image named " + image + ".",
                            "List the images:",
                            "deepsite image list")));
            var started = rest.delete(rest.path("images", alias.value().target()));
            operations.await(started, "DELETE /1.0/images/" + alias.value().target(), call);
        } catch (Refusal refusal) {
            throw faults.refused(refusal.leaving("The image " + image + " is still there."));
        }
    }

    private String setting(String key) {
        return faults.at().daemon().setting(key);
    }

    /** A root file system is too large for a {@code /tmp} in RAM. */
    private static Path largeTemporary() {
        var varTmp = Path.of("/var/tmp");
        return Files.isWritable(varTmp) ? varTmp : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
