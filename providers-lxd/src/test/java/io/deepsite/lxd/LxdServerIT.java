package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.site.ImageName;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A real LXD fetches an image from a simplestreams server on the loopback net, with a self-signed certificate. The image is
 * a folder with one file, from which no machine could start.
 */
@ExtendWith(GpuDaemon.class)
final class LxdServerIT {
    private static final ImageName IMAGE = new ImageName("it-lxd/served");

    @TempDir
    private Path folder;

    private final RealLxd lxd = new RealLxd(GpuDaemon.settings());
    private HttpsServer server;

    @BeforeEach
    void serve() throws IOException, InterruptedException, GeneralSecurityException {
        cleanUp();
        var www = Files.createDirectories(folder.resolve("www/streams/v1"))
                .getParent()
                .getParent();
        makeImage(www);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(identity()));
        server.createContext("/", exchange -> answer(exchange, www));
        server.start();
    }

    @AfterEach
    void cleanUp() {
        if (server != null) {
            server.stop(0);
        }
        lxd.rest()
                .find(lxd.rest().path("images", "aliases", IMAGE.value()), Image.AliasEntry.class)
                .ifPresent(alias -> lxd.rest()
                        .delete(lxd.rest().path("images", alias.value().target())));
    }

    @Test
    void fetchesByTheServersAliasAndStoresUnderTheSitesName() {
        images("it-lxd/one", Optional.of("images.crt")).pull(IMAGE, Call.QUIET);

        var alias = lxd.rest().get(lxd.rest().path("images", "aliases", IMAGE.value()), Image.AliasEntry.class);
        var image = lxd.rest().get(lxd.rest().path("images", alias.target()), JsonNode.class);
        assertThat(image.path("properties").path("os").asString()).isEqualTo("It");
        assertThat(image.path("type").asString()).isEqualTo("container");
        // A second pull changes nothing.
        images("it-lxd/one", Optional.of("images.crt")).pull(IMAGE, Call.QUIET);
    }

    @Test
    void reportsAnUntrustedServerAndAnUnknownAlias() {
        assertThatThrownBy(() -> images("it-lxd/one", Optional.empty()).pull(IMAGE, Call.QUIET))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2124")
                .hasMessageContaining("certificate");
        assertThatThrownBy(() -> images("it-lxd/two", Optional.of("images.crt")).pull(IMAGE, Call.QUIET))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2124");
    }

    private LxdImages images(String alias, Optional<String> certificate) {
        var faults = new Faults(new DaemonAddress(Daemon.LXD, "unix"));
        var address = "https://127.0.0.1:" + server.getAddress().getPort();
        var operations = new Operations(lxd.rest(), faults, new Events(lxd.rest()));
        return new LxdImages(
                lxd.rest(),
                operations,
                faults,
                new Recipes(folder),
                Map.of(IMAGE, new LxdImage(address, alias, "container", certificate)),
                folder,
                new MachineCalls(new Instances(lxd.rest(), operations, Daemon.LXD), faults, "default"));
    }

    /** The index, the products of one image, and its two files, as simplestreams of LXD has them. */
    private void makeImage(Path www) throws IOException, InterruptedException, GeneralSecurityException {
        Files.writeString(folder.resolve("metadata.yaml"), """
                architecture: x86_64
                creation_date: 1700000000
                properties: {os: It, release: one}
                """);
        run("tar", "-cJf", www + "/lxd.tar.xz", "-C", folder.toString(), "metadata.yaml");
        var root = Files.createDirectories(folder.resolve("root"));
        Files.writeString(root.resolve("file"), "content");
        run("mksquashfs", root.toString(), www + "/rootfs.squashfs", "-noappend", "-quiet", "-no-progress");
        var metadata = www.resolve("lxd.tar.xz");
        var rootfs = www.resolve("rootfs.squashfs");
        Files.writeString(www.resolve("streams/v1/index.json"), """
                {"format": "index:1.0", "index": {"images": {"datatype": "image-downloads",
                 "path": "streams/v1/images.json", "format": "products:1.0", "products": ["it-lxd:one:amd64:default"]}}}
                """);
        Files.writeString(www.resolve("streams/v1/images.json"), """
                {"content_id": "images", "datatype": "image-downloads", "format": "products:1.0",
                 "products": {"it-lxd:one:amd64:default": {"aliases": "it-lxd/one", "arch": "amd64", "os": "It",
                  "release": "one", "release_title": "one", "versions": {"20240101_00:00": {"items": {
                   "lxd.tar.xz": {"ftype": "lxd.tar.xz", "path": "lxd.tar.xz", "sha256": "%s", "size": %d,
                    "combined_squashfs_sha256": "%s"},
                   "root.squashfs": {"ftype": "squashfs", "path": "rootfs.squashfs", "sha256": "%s", "size": %d}}}}}}}
                """.formatted(
                sha256(metadata), Files.size(metadata), sha256(metadata, rootfs), sha256(rootfs), Files.size(rootfs)));
    }

    /** Names the address itself: LXD checks the name even of a pinned certificate. */
    private SSLContext identity() throws IOException, InterruptedException, GeneralSecurityException {
        var word = UUID.randomUUID().toString();
        var file = folder.resolve("images.p12");
        run(
                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "images",
                "-dname",
                "CN=images",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                word);
        var store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            store.load(in, word.toCharArray());
        }
        ClientPair.write(folder.resolve("images.crt"), (X509Certificate) store.getCertificate("images"));
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, word.toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).as(command[0]).isZero();
    }

    private static String sha256(Path... files) throws IOException, GeneralSecurityException {
        var digest = MessageDigest.getInstance("SHA-256");
        for (var file : files) {
            try (var in = new DigestInputStream(Files.newInputStream(file), digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void answer(HttpExchange exchange, Path www) throws IOException {
        try (exchange) {
            var file =
                    www.resolve(exchange.getRequestURI().getPath().substring(1)).normalize();
            boolean there = file.startsWith(www) && Files.isRegularFile(file);
            var body = there ? Files.readAllBytes(file) : "not here".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(
                    there ? 200 : 404, exchange.getRequestMethod().equals("HEAD") ? -1 : body.length);
            if (!exchange.getRequestMethod().equals("HEAD")) {
                exchange.getResponseBody().write(body);
            }
        }
    }
}
