package io.deepsite.lxd;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Introduction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks what is sent to which server, before and after the server is known. LxdEnrolmentIT uses a real LXD. */
class EnrolmentTest {
    private static final String UNTRUSTED = answer("\"auth\":\"untrusted\",\"api_extensions\":[]");
    private static final String TRUSTED = answer("\"auth\":\"trusted\",\"api_extensions\":[]");

    @TempDir
    private Path folder;

    private final MockWebServer server = new MockWebServer();

    @BeforeEach
    void start() throws IOException {
        ClientPair.make(folder.resolve("its.crt"), folder.resolve("its.key"));
        var its = settings("https://localhost", "its.crt", "its.key", "its.crt");
        server.useHttps(ClientIdentity.read(its, folder).context().getSocketFactory());
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void tokenMakesThePairPinsTheServerAndIsSentOnce() throws Exception {
        enqueue(UNTRUSTED, answer(""), TRUSTED);

        var token = token(fingerprint());
        var done = enrol(Introduction.Kind.TOKEN, token);

        assertThat(done).hasSize(3);
        assertThat(Files.readString(folder.resolve("server.crt")))
                .isEqualTo(Files.readString(folder.resolve("its.crt")));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("client.key"))))
                .isEqualTo("rw-------");
        assertThat(server.takeRequest().getTarget()).isEqualTo("/1.0");
        var sent = server.takeRequest();
        assertThat(sent.getTarget()).isEqualTo("/1.0/certificates");
        assertThat(Json.MAPPER.readTree(sent.getBody().utf8()).path("password").asString())
                .isEqualTo(token);
    }

    @Test
    void newerServersGetTheTokenInItsOwnField() throws Exception {
        enqueue(answer("\"auth\":\"untrusted\",\"api_extensions\":[\"explicit_trust_token\"]"), answer(""), TRUSTED);

        enrol(Introduction.Kind.TOKEN, token(fingerprint()));

        server.takeRequest();
        assertThat(server.takeRequest().getBody().utf8())
                .contains("\"trust_token\":")
                .doesNotContain("password");
    }

    @Test
    void trustedClientSendsNothing() throws Exception {
        enqueue(TRUSTED);

        assertThat(enrol(Introduction.Kind.TOKEN, token(fingerprint())).getLast())
                .endsWith("trusts this client already.");
        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void tokenOfAnotherServerIsNeverSent() throws IOException {
        var other = token("00".repeat(32));
        reads("connection/DS2103-token-of-another-server", Introduction.Kind.TOKEN, other);
        Files.copy(folder.resolve("its.crt"), folder.resolve("server.crt"));
        reads("connection/DS2103-token-and-pinned-certificate", Introduction.Kind.TOKEN, other);

        assertThat(server.getRequestCount()).isZero();
        assertThat(folder.resolve("client.key")).doesNotExist();
    }

    @Test
    void passwordIsNotSentToAnUnknownServer() {
        reads("connection/DS2104-server-not-known", Introduction.Kind.PASSWORD, "hunter2");

        assertThat(server.getRequestCount()).isZero();
    }

    @Test
    void reportsAnInvalidToken() {
        reads("connection/DS2117-not-a-token", Introduction.Kind.TOKEN, "hunter2");
        reads("connection/DS2117-not-a-token", Introduction.Kind.TOKEN, token("abc"));
    }

    @Test
    void reportsLxdsRefusal() throws Exception {
        enqueue(UNTRUSTED);
        server.enqueue(new MockResponse.Builder()
                .code(403)
                .body("{\"type\":\"error\",\"error\":\"not authorized\"}")
                .build());
        reads("connection/DS2117-token-refused", Introduction.Kind.TOKEN, token(fingerprint()));

        enqueue(UNTRUSTED);
        server.enqueue(new MockResponse.Builder()
                .code(403)
                .body("{\"type\":\"error\",\"error\":\"not authorized\"}")
                .build());
        reads("connection/DS2117-password-refused", Introduction.Kind.PASSWORD, "hunter2");

        enqueue(UNTRUSTED, answer(""), UNTRUSTED);
        reads("connection/DS2102-not-trusted-after-all", Introduction.Kind.TOKEN, token(fingerprint()));
    }

    @Test
    void socketNeedsNoCertificate() {
        assertReads(
                "connection/DS1220-enrolling-at-a-socket",
                () -> new Enrolment(
                                settings("unix:///var/lib/lxd/unix.socket", "client.crt", "client.key", "server.crt"),
                                folder)
                        .by(new Introduction(Introduction.Kind.PASSWORD, "hunter2")));
    }

    private void reads(String name, Introduction.Kind kind, String text) {
        assertReads(
                name,
                () -> enrol(kind, text),
                said -> said.replace(String.valueOf(server.getPort()), "PORT").replace(folder.toString(), "FOLDER"));
    }

    private List<String> enrol(Introduction.Kind kind, String text) {
        var settings = settings("https://localhost:" + server.getPort(), "client.crt", "client.key", "server.crt");
        return new Enrolment(settings, folder).by(new Introduction(kind, text));
    }

    private static LxdSettings settings(String endpoint, String certificate, String key, String server) {
        return SampleSettings.at(endpoint, Recorded.POOL, "lxdbr0")
                .certificates(certificate, key, server)
                .lxd();
    }

    private String fingerprint() throws GeneralSecurityException {
        var certificate = ClientIdentity.certificate(folder.resolve("its.crt"), Daemon.LXD);
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    }

    static String token(String fingerprint) {
        var json = "{\"client_name\":\"deepsite\",\"fingerprint\":\"" + fingerprint
                + "\",\"addresses\":[\"127.0.0.1:8443\"],\"secret\":\"5bbd\"}";
        return Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private void enqueue(String... bodies) {
        for (var body : bodies) {
            server.enqueue(new MockResponse.Builder().body(body).build());
        }
    }

    private static String answer(String metadata) {
        return "{\"type\":\"sync\",\"status_code\":200,\"metadata\":{" + metadata + "}}";
    }
}
