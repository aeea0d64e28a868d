package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What pages of other sites can make a browser send: its cookie, a form, and headers that tell where it comes from. */
class CrossSiteTest extends WithLogins {
    private String csrf;

    @BeforeEach
    void login() throws Exception {
        serve();
        browser.login(provider);
        csrf = browser.get("/me").headers().firstValue("Csrf").orElseThrow();
    }

    private String change(String form, String... headers) throws Exception {
        var answer = browser.post("/change", form, headers);
        return answer.statusCode() + " " + answer.body();
    }

    @Test
    void aPageOfTheServiceMayChangeThings() throws Exception {
        var changed = "200 changed by " + provider.issuer() + "#4711 with a b";

        assertThat(change("text=a+b&csrf=" + csrf)).isEqualTo(changed);
        assertThat(change("text=a+b", "X-CSRF-Token", csrf)).isEqualTo(changed);
        assertThat(change("text=a+b&csrf=" + csrf, "Origin", service.address().toString()))
                .isEqualTo(changed);
        assertThat(change("text=a+b&csrf=" + csrf, "Sec-Fetch-Site", "same-origin", "Origin", "null"))
                .isEqualTo(changed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site", "none"})
    void aFormOfAnotherSiteIsRefusedWhateverItKnows(String site) throws Exception {
        assertThat(change("csrf=" + csrf, "Sec-Fetch-Site", site))
                .startsWith("403 ")
                .contains("DS8123");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://evil.example.org", "null", "http://127.0.0.1", "http://127.0.0.1.evil.example.org"})
    void anotherOriginIsRefused(String origin) throws Exception {
        assertThat(change("csrf=" + csrf, "Origin", origin)).startsWith("403 ").contains("DS8123");
    }

    @Test
    void withoutTheTokenOfTheSessionNothingChanges() throws Exception {
        var other = service.browser();
        other.login(provider);
        var others = other.get("/me").headers().firstValue("Csrf").orElseThrow();

        assertThat(change("text=a")).startsWith("403 ").contains("lacks the token");
        assertThat(change("csrf=")).startsWith("403 ");
        assertThat(change("csrf=" + others)).startsWith("403 ").contains("not that of the session");
        assertThat(change("", "X-CSRF-Token", others)).startsWith("403 ");
        assertThat(change("csrf=" + browser.cookies.get("deepsite-session"))).startsWith("403 ");
    }

    @Test
    void theTokenOfASessionBeforeTheLoginIsWorthless() throws Exception {
        browser.login(provider);

        assertThat(change("csrf=" + csrf)).startsWith("403 ");
    }

    @Test
    void nobodyIsLoggedOutByAnotherSite() throws Exception {
        assertThat(browser.post("/logout", "").statusCode()).isEqualTo(403);
        assertThat(browser.get("/me").statusCode()).isEqualTo(200);
    }

    /** The body is still on its way when the answer comes. */
    @Test
    void aRefusedClientIsToldThatItsConnectionEnds() throws Exception {
        try (var socket = new Socket("127.0.0.1", service.address().getPort())) {
            socket.getOutputStream().write("""
                    POST /change HTTP/1.1\r
                    Host: x\r
                    Sec-Fetch-Site: cross-site\r
                    Content-Length: 10\r
                    \r
                    """.getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 403")
                    .contains("Connection: close");
        }
    }

    @Test
    void programsNeedNoTokenOfASession() throws Exception {
        browser.cookies.clear();

        assertThat(change(
                        "text=a",
                        "Authorization",
                        "Bearer " + provider.signed(provider.claims().build())))
                .startsWith("200 ");
    }
}
