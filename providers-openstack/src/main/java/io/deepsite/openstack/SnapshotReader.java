package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.openstack.Snapshot.LocalFile;
import io.deepsite.parallel.Fanout;
import io.deepsite.site.ImageName;
import io.deepsite.site.Name;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Reads a {@link Snapshot}: one list per family, all at once. */
final class SnapshotReader {
    /** Lists, and the quotas: all of them at once. */
    private static final int FAMILIES = 15;

    private final Api api;
    private final String words;
    private final Cloud cloud;
    private final OpenStackSettings settings;
    private final Path folder;

    /**
     * @param words how messages name the cloud
     * @param folder of site.yaml
     */
    SnapshotReader(Cloud cloud, Api api, String words, OpenStackSettings settings, Path folder) {
        this.api = api;
        this.cloud = cloud;
        this.words = words;
        this.settings = settings;
        this.folder = folder;
    }

    Snapshot read() {
        try (var threads = new Fanout(FAMILIES)) {
            var servers = list(threads, Service.COMPUTE, "/servers/detail", "servers", Read::server);
            var flavors = list(threads, Service.COMPUTE, "/flavors/detail?is_public=None", "flavors", Read::flavor);
            var serverGroups = list(threads, Service.COMPUTE, "/os-server-groups", "server_groups", Read::serverGroup);
            var keypairs = list(threads, Service.COMPUTE, "/os-keypairs", "keypairs", Family.KEYPAIRS::id);
            var zones = list(threads, Service.COMPUTE, "/os-availability-zone", "availabilityZoneInfo", Read::zone);
            var images = list(threads, Service.IMAGE, "/images?limit=1000", "images", Read::image);
            var networks = list(threads, Service.NETWORK, "/networks", "networks", Read::network);
            var subnets = list(threads, Service.NETWORK, "/subnets", "subnets", Read::subnet);
            var routers = list(threads, Service.NETWORK, "/routers", "routers", Read::router);
            var ports = list(threads, Service.NETWORK, "/ports", "ports", Read::port);
            var groups = list(threads, Service.NETWORK, "/security-groups", "security_groups", Read::securityGroup);
            var floating = list(threads, Service.NETWORK, "/floatingips", "floatingips", Read::floatingIp);
            var quotas = threads.start(() -> Quotas.read(cloud));
            boolean hasVolumes = api.offers(Service.VOLUME);
            var volumes = hasVolumes
                    ? list(threads, Service.VOLUME, "/volumes/detail", "volumes", Read::volume)
                    : (Supplier<List<Snapshot.Volume>>) List::<Snapshot.Volume>of;
            var types = hasVolumes
                    ? list(threads, Service.VOLUME, "/types", "volume_types", type -> Nodes.text(type, "name"))
                    : (Supplier<List<String>>) List::<String>of;
            return new Snapshot(
                    words,
                    (settings.createFlavors()
                                    || settings.network().externalNetwork().isPresent())
                            && isAdministrator(),
                    servers.get(),
                    flavors.get(),
                    images.get(),
                    networks.get(),
                    subnets.get(),
                    routers.get(),
                    ports.get(),
                    groups.get(),
                    floating.get(),
                    serverGroups.get(),
                    keypairs.get(),
                    volumes.get(),
                    hasVolumes ? Optional.of(types.get()) : Optional.empty(),
                    zones.get().stream().filter(zone -> !zone.isEmpty()).toList(),
                    images(),
                    userData(),
                    Optional.of(quotas.get()));
        }
    }

    private <T> Supplier<List<T>> list(
            Fanout threads, Service service, String path, String key, Function<JsonNode, T> read) {
        return threads.start(() -> api.list(service, path, key, read));
    }

    /** Listing flavors of every project is an administrator's right too, and changes nothing. */
    private boolean isAdministrator() {
        try {
            api.get(Service.COMPUTE, "/os-services?binary=nova-conductor");
            return true;
        } catch (Refusal refusal) {
            if (refusal.status() == 403) {
                return false;
            }
            throw refusal;
        }
    }

    private Map<ImageName, LocalFile> images() {
        var files =
                new TreeMap<ImageName, LocalFile>((one, other) -> one.value().compareTo(other.value()));
        settings.images()
                .forEach((name, image) -> image.file()
                        .ifPresent(path -> files.put(name, file(path, "provider.openstack.images." + name + ".file"))));
        return files;
    }

    private Map<Name, LocalFile> userData() {
        var files = new TreeMap<Name, LocalFile>((one, other) -> one.value().compareTo(other.value()));
        settings.groups()
                .forEach((group, more) -> more.userData()
                        .ifPresent(path ->
                                files.put(group, file(path, "provider.openstack.groups." + group + ".userData"))));
        return files;
    }

    private LocalFile file(String path, String key) {
        var file = folder.resolve(path);
        try (InputStream in = Files.newInputStream(file)) {
            var sha512 = MessageDigest.getInstance("SHA-512");
            var counted = new DigestInputStream(in, sha512);
            byte[] begin = counted.readNBytes(256);
            counted.transferTo(OutputStream.nullOutputStream());
            var firstLine = new String(begin, StandardCharsets.ISO_8859_1)
                    .lines()
                    .findFirst()
                    .orElse("");
            return new LocalFile(path, Files.size(file), HexFormat.of().formatHex(sha512.digest()), firstLine);
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.OPENSTACK_FILE,
                            "The file " + file + ", which " + key + " names, cannot be read: " + FileFault.words(e)
                                    + ".",
                            "Relative paths start at the folder of site.yaml."),
                    e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
