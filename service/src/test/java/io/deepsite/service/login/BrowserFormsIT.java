package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What a real browser sends with forms: of the service's own page, and of another site's. */
class BrowserFormsIT {
    @Test
    void onlyThePageOfTheServiceChangesThings(@TempDir Path folder) throws Exception {
        try (var service = new LoginService(
                folder, InstantSource.system(), Optional.empty(), true, LimitSettings.DEFAULT, Optional.empty())) {
            var other = otherSite(service.address() + "/change");
            try {
                var process = new ProcessBuilder(
                                "../testbed/oidc/forms.py",
                                service.address().toString(),
                                "http://localhost:" + other.getAddress().getPort() + "/")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(process.waitFor()).as(printed).isZero();
                var seen = JsonMapper.shared().readTree(printed);

                assertThat(seen.get("person").asString()).isEqualTo("test#ada|ada||/lab");
                assertThat(seen.get("cookies").asString()).isEmpty();
                assertThat(seen.get("own").asString()).isEqualTo("changed by test#ada with own");
                assertThat(seen.get("other").asString()).contains("DS8123", "another site");
            } finally {
                other.stop(0);
            }
        }
    }

    /** Another host name is another site, though it is the same machine. */
    private static HttpServer otherSite(String target) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var page = ("<form method=post action='" + target
                        + "'><input name=text value=other><button>Win</button></form>")
                .getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        return server;
    }
}
