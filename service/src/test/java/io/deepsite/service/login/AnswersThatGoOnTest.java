package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Date;
import java.util.Iterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** They end when whoever asked is somebody no more; where one does not, its test hangs. */
class AnswersThatGoOnTest extends WithLogins {
    @BeforeEach
    void begin() {
        serve();
    }

    private static void awaitEnd(Iterator<String> lines) {
        lines.forEachRemaining(_ -> {});
    }

    private Iterator<String> followed() throws Exception {
        browser.login(provider);
        var lines = browser.follow("/follow").iterator();
        assertThat(lines.next()).isEqualTo("[/lab]");
        return lines;
    }

    @Test
    void withTheLogout() throws Exception {
        var lines = followed();

        var csrf = browser.get("/me").headers().firstValue("Csrf").orElseThrow();
        assertThat(browser.post("/logout", "csrf=" + csrf).statusCode()).isEqualTo(303);

        awaitEnd(lines);
    }

    @Test
    void withTheLongestTimeOfASession() throws Exception {
        var lines = followed();

        clock.pass(Sessions.LONGEST);

        awaitEnd(lines);
    }

    @Test
    void withASessionWithoutRequestsForAnAnswerIsNone() throws Exception {
        var lines = followed();

        clock.pass(Sessions.IDLE.minusMinutes(1));
        assertThat(lines.next()).isEqualTo("[/lab]");
        clock.pass(Duration.ofMinutes(1));

        awaitEnd(lines);
    }

    @Test
    void withTheToken() throws Exception {
        var token = provider.signed(provider.claims()
                .expirationTime(Date.from(clock.instant().plus(Duration.ofMinutes(5))))
                .build());
        var lines =
                browser.follow("/follow", "Authorization", "Bearer " + token).iterator();
        assertThat(lines.next()).isEqualTo("[/lab]");

        clock.pass(Duration.ofMinutes(5));

        awaitEnd(lines);
    }

    @Test
    void groupsAreThoseOfNow() throws Exception {
        var lines = followed();

        service.tables().in(handle -> handle.execute("UPDATE service.session SET member_of = '[\"/other\"]'"));

        while (!lines.next().equals("[/other]")) {
            assertThat(lines.hasNext()).isTrue();
        }
    }
}
