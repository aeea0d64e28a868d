package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrowserSessionTest extends WithLogins {
    private static final String COOKIE = "deepsite-session";

    @Test
    void cookiesCannotBeReadNorSentByOthers() throws Exception {
        serve();

        browser.get("/login");
        assertThat(browser.setCookies)
                .singleElement()
                .asString()
                .startsWith("deepsite-login=")
                .contains("Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=900")
                .doesNotContain("Secure", "Domain");
        browser.login(provider);
        assertThat(browser.setCookies)
                .singleElement()
                .asString()
                .startsWith("deepsite-session=")
                .contains("Path=/", "HttpOnly", "SameSite=Lax")
                .doesNotContain("Secure", "Domain", "Max-Age", "Expires");
    }

    @Test
    void overHttpsNobodyElseCanSetThem() throws Exception {
        serve(settings(), LimitSettings.DEFAULT, Optional.of(URI.create("https://clusters.example.org")));

        var callback = browser.begin(provider, "/login");
        assertThat(callback).hasToString("https://clusters.example.org/login/callback?" + callback.getRawQuery());
        assertThat(browser.setCookies)
                .singleElement()
                .asString()
                .startsWith("__Host-deepsite-login=")
                .contains("Path=/", "HttpOnly", "Secure", "SameSite=Lax")
                .doesNotContain("Domain");
        browser.back(callback);
        assertThat(browser.setCookies)
                .singleElement()
                .asString()
                .startsWith("__Host-deepsite-session=")
                .contains("Path=/", "HttpOnly", "Secure", "SameSite=Lax")
                .doesNotContain("Domain");
        assertThat(browser.get("/me").statusCode()).isEqualTo(200);
    }

    @Test
    void aLoginTakesOverNoIdThatTheBrowserHadBefore() throws Exception {
        serve();
        var planted = OpaqueToken.fresh();
        browser.cookies.put(COOKIE, planted);

        browser.login(provider);

        assertThat(browser.cookies.get(COOKIE)).isNotEqualTo(planted);
        assertThat(with(planted)).isEqualTo(401);
    }

    @Test
    void aSecondLoginEndsTheFirstSession() throws Exception {
        serve();
        browser.login(provider);
        var first = browser.cookies.get(COOKIE);

        browser.login(provider);

        assertThat(browser.cookies.get(COOKIE)).isNotEqualTo(first);
        assertThat(with(first)).isEqualTo(401);
        assertThat(browser.get("/me").statusCode()).isEqualTo(200);
    }

    @Test
    void sessionsOfAnotherProviderEndWithItsSettings() throws Exception {
        serve();
        browser.login(provider);
        var cookies = Map.copyOf(browser.cookies);

        try (var other = new IdentityProvider()) {
            serve(settings(other.issuer(), settings().clientSecret()), LimitSettings.DEFAULT, Optional.empty());
            browser.cookies.putAll(cookies);

            assertThat(browser.get("/me").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void logoutEndsTheSessionItself() throws Exception {
        serve();
        browser.login(provider);
        var id = browser.cookies.get(COOKIE);
        var csrf = browser.get("/me").headers().firstValue("Csrf").orElseThrow();

        var answer = browser.post("/logout", "csrf=" + csrf);

        assertThat(Browser.location(answer)).hasToString("/logged-out");
        assertThat(browser.get("/logged-out").body()).contains("You are logged out");
        assertThat(browser.cookies).doesNotContainKey(COOKIE);
        assertThat(with(id)).isEqualTo(401);
        assertThat(service.events).hasSize(2).last().asString().startsWith("LOGOUT ");
    }

    @Test
    void endsWhenNobodyUsesIt() throws Exception {
        serve();
        browser.login(provider);

        for (int i = 0; i < 3; i++) {
            clock.pass(Sessions.IDLE.minusMinutes(1));
            assertThat(browser.get("/me").statusCode()).isEqualTo(200);
        }
        clock.pass(Sessions.IDLE.plusSeconds(1));

        assertThat(browser.get("/me").statusCode()).isEqualTo(401);
        assertThat(browser.cookies).doesNotContainKey(COOKIE);
    }

    @Test
    void endsAtLastAlsoIfItIsUsed() throws Exception {
        serve();
        browser.login(provider);

        for (var time = Duration.ZERO; time.compareTo(Sessions.LONGEST.minusHours(1)) < 0; time = time.plusHours(1)) {
            assertThat(browser.get("/me").statusCode()).isEqualTo(200);
            clock.pass(Duration.ofHours(1));
        }
        clock.pass(Duration.ofHours(1).plusSeconds(1));

        assertThat(browser.get("/me").statusCode()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "' OR 1=1 --", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "%00", "../../etc/passwd"
            })
    void aGuessedIdIsNobodys(String guess) throws Exception {
        serve();
        browser.login(provider);

        assertThat(with(guess)).isEqualTo(401);
    }

    @Test
    void guessingEndsSoon() throws Exception {
        serve(settings(), new LimitSettings(1000, 1000, 20), Optional.empty());
        var answers = new ArrayList<Integer>();

        for (int i = 0; i < 25; i++) {
            answers.add(with(OpaqueToken.fresh()));
        }

        assertThat(answers.subList(0, 20)).containsOnly(401);
        assertThat(answers.subList(20, 25)).containsOnly(429);
    }

    @Test
    void tablesHoldNoIdThatLetsAnybodyIn() throws Exception {
        serve();
        browser.get("/login");
        browser.login(provider);

        var rows = service.tables()
                .in(handle -> handle.createQuery(
                                "SELECT id FROM service.session UNION ALL SELECT state FROM service.login UNION ALL SELECT browser FROM service.login")
                        .mapTo(String.class)
                        .list());

        assertThat(rows).hasSize(3).doesNotContainAnyElementsOf(browser.cookies.values());
        assertThat(with(rows.getFirst())).isEqualTo(401);
    }

    @Test
    void whatIsOverLeavesTheTables() throws Exception {
        serve();
        browser.get("/login");
        browser.login(provider);

        clock.pass(Sessions.LONGEST);
        service.browser().login(provider);

        int rows = service.tables()
                .in(handle -> handle.createQuery(
                                "SELECT (SELECT count(*) FROM service.session) + (SELECT count(*) FROM service.login)")
                        .mapTo(Integer.class)
                        .one());
        assertThat(rows).isEqualTo(1);
    }

    @Test
    void saysThatNobodyIsLoggedIn() throws Exception {
        serve();

        var answer = browser.get("/me");

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        Golden.assertSame(
                Path.of("src/test/resources/golden/faults/service/DS8102-not-logged-in/stderr.txt"), answer.body());
    }

    @Test
    void publicPathsNeedNoLogin() throws Exception {
        serve();

        assertThat(browser.get("/health").body()).isEqualTo("well");
        assertThat(browser.get("/static/style").body()).isEqualTo("style");
        for (var path : List.of(
                "/healthy",
                "/static",
                "/static/../me",
                "/static/%2e%2e/me",
                "/static/..%2fme",
                "/static//../../me",
                "/me/",
                "/nowhere")) {
            assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                    .as(path)
                    .containsPattern("^HTTP/1.1 (401|400)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Cookie: deepsite-session=", "Authorization: Bearer ", "X-CSRF-Token: "})
    void headersWithoutEndAreRefused(String header) throws Exception {
        serve();

        assertThat(raw("GET /me HTTP/1.1\r\nHost: x\r\n" + header + "a".repeat(100_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431");
    }

    private int with(String session) throws Exception {
        var other = service.browser();
        other.cookies.put(COOKIE, session);
        return other.get("/me").statusCode();
    }

    private String raw(String request) throws IOException {
        try (var socket = new Socket("127.0.0.1", service.address().getPort())) {
            try {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // It answered before it had heard all.
            }
            return new String(socket.getInputStream().readNBytes(64), StandardCharsets.US_ASCII);
        }
    }
}
