package io.deepsite.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Behind the distribution's proxies with TLS, by the configurations that the guide gives. */
@ParameterizedClass
@ValueSource(strings = {"nginx", "haproxy", "apache"})
class ProxyIT {
    private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");
    private static final int LOGINS = 3;

    @Parameter
    String program;

    @TempDir
    Path folder;

    private URI url;
    private int plain;
    private Process proxy;
    private ServiceOnFake service;

    @BeforeEach
    void start() throws Exception {
        int port = free();
        int behind = free();
        plain = free();
        url = URI.create("https://localhost:" + port);
        service = new ServiceOnFake(folder.resolve("service"), """
                listen: 127.0.0.1:%d
                url: %s
                proxied: true
                limits: {loginsPerAddress: %d}
                """.formatted(behind, url, LOGINS));
        var certificate = new ProcessBuilder("../testbed/service/certificate", folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("openssl.log").toFile())
                .start();
        assertThat(certificate.waitFor()).isZero();
        proxy = new ProcessBuilder(
                        "../testbed/service/" + program,
                        folder.toString(),
                        String.valueOf(port),
                        String.valueOf(behind),
                        String.valueOf(plain))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("proxy.log").toFile())
                .start();
        awaitProxy();
    }

    private static int free() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitProxy() throws Exception {
        try (var client = client("127.0.0.1")) {
            while (true) {
                assertThat(proxy.isAlive())
                        .as(() -> text(folder.resolve("proxy.log")))
                        .isTrue();
                try {
                    client.send(get("/health/live").build(), HttpResponse.BodyHandlers.discarding());
                    return;
                } catch (IOException e) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        service.close();
        proxy.destroy();
        proxy.waitFor();
    }

    /** At an address of this machine. */
    private HttpClient client(String address) throws Exception {
        var keys = KeyStore.getInstance(KeyStore.getDefaultType());
        keys.load(null);
        try (var in = new FileInputStream(folder.resolve("ca.crt").toFile())) {
            keys.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder()
                .sslContext(context)
                .localAddress(InetAddress.ofLiteral(address))
                .build();
    }

    private HttpRequest.Builder get(String path) {
        return HttpRequest.newBuilder(url.resolve(path));
    }

    private HttpResponse<String> login(HttpClient client, String... headers) throws Exception {
        var request = get("/login/test")
                .header("Origin", url.toString())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(
                        ServiceOnFake.form(Map.of("name", "alice", "groups", "biologists", "to", "/"))));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void pagesAndEventsComeThroughAndCookiesAreSecure() throws Exception {
        try (var client = client("127.0.0.1")) {
            var login = login(client);
            assertThat(login.version()).isEqualTo(HttpClient.Version.HTTP_2);
            var set = login.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(set).startsWith("__Host-deepsite-session=").contains("Secure", "HttpOnly", "SameSite=Lax");
            var cookie = set.replaceAll(";.*", "");
            var home = client.send(
                    get("/").header("Cookie", cookie)
                            .header("Accept", "text/html")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(home.body()).contains("A cluster");
            assertThat(home.headers().firstValue("Strict-Transport-Security")).isPresent();
            var csrf = CSRF.matcher(home.body());
            assertThat(csrf.find()).isTrue();

            var ordered = client.send(
                    get("/v1/sites")
                            .header("Cookie", cookie)
                            .header("Origin", url.toString())
                            .header("X-CSRF-Token", csrf.group(1))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(
                                    "{\"project\": \"biology\", \"template\": \"hpc\"}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(ordered.statusCode()).as(ordered.body()).isEqualTo(202);
            var events = url.resolve(ordered.headers().firstValue("Location").orElseThrow() + "/events");
            // The stream has no end here: a proxy that collects it would show nothing.
            try (var lines = client.send(
                            HttpRequest.newBuilder(events)
                                    .header("Cookie", cookie)
                                    .build(),
                            HttpResponse.BodyHandlers.ofLines())
                    .body()) {
                assertThat(lines.anyMatch(line -> line.contains("\"verb\":\"plan\",\"status\":\"done\"")))
                        .isTrue();
            }
        }
    }

    @Test
    void limitsCountTheClientAndNotWhatItWrites() throws Exception {
        try (var one = client("127.0.0.2");
                var other = client("127.0.0.3")) {
            for (int i = 0; i < LOGINS; i++) {
                assertThat(login(one, "X-Forwarded-For", "198.51.100." + i, "Forwarded", "for=198.51.100." + i)
                                .statusCode())
                        .isEqualTo(303);
            }
            assertThat(login(one, "X-Forwarded-For", "198.51.100.9", "Forwarded", "for=198.51.100.9")
                            .statusCode())
                    .isEqualTo(429);
            assertThat(login(other).statusCode()).isEqualTo(303);
        }
        service.close();
        assertThat(service.accessLog())
                .content()
                .contains("\"from\":\"127.0.0.2\"", "\"from\":\"127.0.0.3\"")
                .doesNotContain("198.51.100");
    }

    @Test
    void whoComesWithoutTlsIsSentToTheOtherPort() throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + plain + "/sites/x?y"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(301);
            assertThat(answer.headers().firstValue("Location")).contains("https://clusters.example.org/sites/x?y");
        }
    }
}
