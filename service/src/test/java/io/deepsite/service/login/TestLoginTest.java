package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class TestLoginTest extends WithLogins {

    private void serveTestLogin(Optional<URI> seen) {
        service = new LoginService(folder, clock, Optional.empty(), true, LimitSettings.DEFAULT, seen);
        browser = service.browser();
    }

    @Test
    void isOffUnlessAskedFor() throws Exception {
        serve();

        assertThat(browser.get("/login/test").statusCode()).isEqualTo(404);
        assertThat(browser.post("/login/test", "name=ada&groups=%2Fadmins").statusCode())
                .isEqualTo(404);
    }

    @Test
    void letsAnybodyInWithAnyGroups() throws Exception {
        serveTestLogin(Optional.empty());

        var form = Browser.location(browser.get("/login?to=%2Fsites%3Fa%3Db"));
        assertThat(form).hasToString("/login/test?to=%2Fsites%3Fa%3Db");
        assertThat(browser.get(form.toString()).body()).contains("value=\"/sites?a=b\"");
        var answer = browser.post("/login/test", "name=Ada+L.&groups=%2Flab+%2Fcourse&to=%2Fsites%3Fa%3Db");

        assertThat(Browser.location(answer)).hasToString("/sites?a=b");
        assertThat(browser.get("/me").body()).isEqualTo("test#Ada L.|Ada L.||/lab,/course");
    }

    @Test
    void returnsToNoOtherSite() throws Exception {
        serveTestLogin(Optional.empty());

        assertThat(Browser.location(browser.post("/login/test", "name=a&to=%2F%2Fevil.example.org")))
                .hasToString("/");
        assertThat(browser.get("/login/test?to=%22%3E%3Cscript%3E").body()).doesNotContain("<script");
    }

    @Test
    void noPageOfAnotherSiteLogsIn() throws Exception {
        serveTestLogin(Optional.empty());

        assertThat(browser.post("/login/test", "name=a", "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(browser.post("/login/test", "name=a", "Origin", "https://evil.example.org")
                        .statusCode())
                .isEqualTo(403);
    }

    /** A page whose own name was made to point to this machine is of the same origin. */
    @ParameterizedTest
    @ValueSource(strings = {"evil.example.org", "localhost.evil.example.org", "127.0.0.1.evil.example.org", "0.0.0.0"})
    void isThereOnlyByANameOfThisMachine(String host) throws Exception {
        serveTestLogin(Optional.empty());
        int port = service.address().getPort();

        assertThat(raw(port, host + ":" + port)).startsWith("HTTP/1.1 403");
        assertThat(raw(port, "localhost:" + port)).startsWith("HTTP/1.1 200");
        assertThat(raw(port, "127.0.0.1")).startsWith("HTTP/1.1 200");
    }

    private static String raw(int port, String host) throws IOException {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream()
                    .write(("GET /login/test HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(64), StandardCharsets.US_ASCII);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a%0Ab", "%3Cb%3E", "a%23b"})
    void namesAreNames(String name) throws Exception {
        serveTestLogin(Optional.empty());

        assertThat(browser.post("/login/test", "name=" + name).statusCode()).isEqualTo(403);
    }

    @Test
    void isRefusedWhereOthersReachIt() {
        var failure = catchThrowableOfType(
                Failure.class, () -> serveTestLogin(Optional.of(URI.create("https://clusters.example.org"))));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.NOT_SERVED);
    }

    @Test
    void aServiceWithoutAnyLoginIsRefused() {
        var failure = catchThrowableOfType(
                Failure.class,
                () -> new LoginService(
                        folder, clock, Optional.empty(), false, LimitSettings.DEFAULT, Optional.empty()));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.NOT_SERVED);
    }

    @Test
    void itsSessionsEndWithIt() throws Exception {
        serveTestLogin(Optional.empty());
        browser.post("/login/test", "name=ada&groups=%2Fadmins");
        assertThat(browser.get("/me").statusCode()).isEqualTo(200);
        var cookies = Map.copyOf(browser.cookies);

        serve();

        browser.cookies.putAll(cookies);
        assertThat(browser.get("/me").statusCode()).isEqualTo(401);
    }

    @Test
    void programsGetATokenByAName() throws Exception {
        serveTestLogin(Optional.empty());

        var answer = browser.post("/login/test/token", "name=Ada+L.&groups=%2Flab");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        var token = JsonMapper.shared().readTree(answer.body()).path("token").asString();
        var program = service.browser();
        assertThat(program.get("/me", "Authorization", "Bearer " + token).body())
                .isEqualTo("test#Ada L.|Ada L.||/lab");
        assertThat(program.get("/me", "Authorization", "Bearer " + token.substring(1) + "A")
                        .statusCode())
                .isEqualTo(401);
        assertThat(service.events).singleElement().asString().startsWith("LOGIN test#Ada L.");
    }

    @Test
    void tokensByANameEndWithTheTestLogin() throws Exception {
        serveTestLogin(Optional.empty());
        var answer = browser.post("/login/test/token", "name=ada&groups=%2Fadmins");
        var token = JsonMapper.shared().readTree(answer.body()).path("token").asString();

        serve();

        assertThat(browser.post("/login/test/token", "name=ada").statusCode()).isEqualTo(404);
        assertThat(browser.get("/me", "Authorization", "Bearer " + token).statusCode())
                .isEqualTo(401);
    }

    @Test
    void noPageOfAnotherSiteGetsAToken() throws Exception {
        serveTestLogin(Optional.empty());

        assertThat(browser.post("/login/test/token", "name=a", "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void takesNoTokensOfPrograms() throws Exception {
        serveTestLogin(Optional.empty());

        assertThat(browser.get("/me", "Authorization", "Bearer a.b.c").statusCode())
                .isEqualTo(401);
    }
}
