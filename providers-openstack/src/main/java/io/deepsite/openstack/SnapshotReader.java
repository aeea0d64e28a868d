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
import java.util.function.Supplier;

/** Reads a {@link Snapshot}: one list per family, all at once. */
final class SnapshotReader {
    /** Lists, and the quotas: all of them at once. */
    private static final int FAMILIES = 15;

    private final String words;
    private final Cloud cloud;
    private final OpenStackSettings settings;
    private final Path folder;

    /**
     * @param words how messages name the cloud
     * @param folder of site.yaml
     */
    SnapshotReader(Cloud cloud, String words, OpenStackSettings settings, Path folder) {
        this.cloud = cloud;
        this.words = words;
        this.settings = settings;
        this.folder = folder;
    }

    Snapshot read() {
        try (var threads = new Fanout(FAMILIES)) {
            var servers = list(threads, Family.SERVERS);
            var flavors = list(threads, Family.FLAVORS);
            var serverGroups = list(threads, Family.SERVER_GROUPS);
            var keypairs = list(threads, Family.KEYPAIRS);
            var zones = threads.start(this::zones);
            var images = list(threads, Family.IMAGES);
            var networks = list(threads, Family.NETWORKS);
            var subnets = list(threads, Family.SUBNETS);
            var routers = list(threads, Family.ROUTERS);
            var ports = list(threads, Family.PORTS);
            var groups = list(threads, Family.SECURITY_GROUPS);
            var floating = list(threads, Family.FLOATING_IPS);
            var quotas = threads.start(() -> Quotas.read(cloud));
            boolean hasVolumes = cloud.offers(Service.VOLUME);
            var volumes = hasVolumes
                    ? list(threads, Family.VOLUMES)
                    : (Supplier<List<Snapshot.Volume>>) List::<Snapshot.Volume>of;
            var types = hasVolumes ? threads.start(this::volumeTypes) : (Supplier<List<String>>) List::<String>of;
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
                    zones.get(),
                    images(),
                    userData(),
                    Optional.of(quotas.get()));
        }
    }

    private <T extends Snapshot.Tagged> Supplier<List<T>> list(Fanout threads, Family<T> family) {
        return threads.start(() -> family.all(cloud));
    }

    private List<String> zones() {
        return cloud.client().compute().zones().list().stream()
                .flatMap(zone -> Read.zone(zone).stream())
                .toList();
    }

    private List<String> volumeTypes() {
        return cloud.client().blockStorage().volumes().listVolumeTypes().stream()
                .map(type -> Read.text(type.getName()))
                .toList();
    }

    /** Listing Nova's services is an administrator's right, too, and changes nothing. */
    private boolean isAdministrator() {
        try {
            cloud.client().compute().services().list(Map.of("binary", "nova-conductor"));
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
