package io.deepsite.cluster.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.deepsite.cluster.FailingTool;
import io.deepsite.cluster.HostScripts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The front door's own check of its identity provider, which is a server here; it takes paths literally. */
class MesosIdentityProviderTest {
    private static final String NAME = "https://iam.example.org";

    @TempDir
    private Path folder;

    private HttpServer server;
    private String published = NAME + "/";

    @BeforeEach
    void provider() throws Exception {
        Files.writeString(folder.resolve("secrets.conf"), "OIDCClientSecret \"word\"\n");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            switch (exchange.getRequestURI().getPath()) {
                case "/.well-known/openid-configuration" -> answer(exchange, 200, """
                            {"issuer": "%s", "jwks_uri": "%s/keys", "token_endpoint": "%s/token"}""".formatted(published, NAME, NAME));
                case "/keys" -> answer(exchange, 200, "{\"keys\": []}");
                case "/token" -> answer(exchange, 400, "{\"error\": \"invalid_grant\"}");
                default -> answer(exchange, 404, "{}");
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void anIssuerWithASlashIsTakenAsItIsPublished() throws Exception {
        var process = new ProcessBuilder(
                        "/usr/bin/python3",
                        Files.writeString(folder.resolve("tool"), script(NAME + "/"))
                                .toString(),
                        "provider")
                .redirectErrorStream(true);
        process.environment().putAll(environment());
        var started = process.start();

        assertThat(new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(started.waitFor()).isZero();
    }

    @Test
    void aMissingSlashIsNamed() throws Exception {
        says("mesos/DS3228-slash-missing", NAME);
    }

    @Test
    void aSlashTooManyIsNamed() throws Exception {
        published = NAME;

        says("mesos/DS3228-slash-too-many", NAME + "/");
    }

    @Test
    void anotherIssuer() throws Exception {
        published = NAME + "/realms/lab";

        says("mesos/DS3228-another-issuer", NAME);
    }

    private void says(String golden, String issuer) throws Exception {
        var tool = new FailingTool(folder, "oidc_proxy", "lb", script(issuer), environment());
        tool.reads(golden, tool.says("provider").replace(address(), NAME));
    }

    private String script(String issuer) throws IOException {
        var keys = MesosSite.FRAMEWORKS
                + MesosSite.OIDC
                        .replace(NAME + "/realms/lab/certs", NAME + "/keys")
                        .replace(NAME + "/realms/lab", issuer);
        var text = new HostScripts(folder, MesosSite.site(1, keys), MesosSite.machines(1))
                .of("lb")
                .get("deepsite-oidc-proxy");
        return text.replace(NAME, address());
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private Map<String, String> environment() {
        return Map.of(
                "DEEPSITE_OIDC_PROXY", folder.toString(),
                "DEEPSITE_OIDC_PROXY_STATE", folder.resolve("state").toString());
    }

    private void answer(HttpExchange exchange, int status, String text) throws IOException {
        var bytes = text.replace(NAME, address()).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
