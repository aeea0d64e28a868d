package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestLimitsTest extends WithLogins {

    @Test
    void anAddressIsToldWhenItMayAskAgain() throws Exception {
        serve(settings(), new LimitSettings(6, 100, 100), Optional.empty());
        for (int i = 0; i < 6; i++) {
            assertThat(browser.get("/health").statusCode()).isEqualTo(200);
        }

        var refused = browser.get("/health");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("10");
        Golden.assertSame(
                Path.of("src/test/resources/golden/faults/service/DS8109-of-an-address/stderr.txt"), refused.body());
        clock.pass(Duration.ofSeconds(10));
        assertThat(browser.get("/health").statusCode()).isEqualTo(200);
        assertThat(browser.get("/health").statusCode()).isEqualTo(429);
    }

    @Test
    void aPersonIsCountedWhereverTheRequestsComeFrom() throws Exception {
        serve(settings(), new LimitSettings(100, 3, 100), Optional.empty());
        browser.login(provider);
        var token = provider.signed(provider.claims().build());

        assertThat(browser.get("/me").statusCode()).isEqualTo(200);
        assertThat(browser.get("/me", "Authorization", "Bearer " + token).statusCode())
                .isEqualTo(200);
        assertThat(browser.get("/me").statusCode()).isEqualTo(200);
        assertThat(browser.get("/me").statusCode()).isEqualTo(429);
        assertThat(browser.get("/health").statusCode()).isEqualTo(200);
        var other = provider.signed(provider.claims().subject("4712").build());
        assertThat(browser.get("/me", "Authorization", "Bearer " + other).statusCode())
                .isEqualTo(200);
    }

    @Test
    void loginsAreFew() throws Exception {
        serve(settings(), new LimitSettings(100, 100, 2), Optional.empty());

        assertThat(browser.get("/login").statusCode()).isEqualTo(303);
        assertThat(browser.get("/login").statusCode()).isEqualTo(303);
        assertThat(browser.get("/login").statusCode()).isEqualTo(429);
    }

    @Test
    void guessedAnswersAreFew() throws Exception {
        serve(settings(), new LimitSettings(100, 100, 2), Optional.empty());

        assertThat(browser.get("/login/callback?code=a&state=a").statusCode()).isEqualTo(403);
        assertThat(browser.get("/login/callback?code=a&state=b").statusCode()).isEqualTo(403);
        assertThat(browser.get("/login/callback?code=a&state=c").statusCode()).isEqualTo(429);
    }

    @Test
    void aNetworkOfIpv6CountsAsOneAddress() {
        assertThat(RequestLimits.network("2001:db8:1:2:3:4:5:6"))
                .isEqualTo(RequestLimits.network("2001:db8:1:2::1"))
                .isNotEqualTo(RequestLimits.network("2001:db8:1:3::1"));
        assertThat(RequestLimits.network("192.0.2.1")).isNotEqualTo(RequestLimits.network("192.0.2.2"));
        assertThat(RequestLimits.network("unknown")).isEqualTo("unknown");
    }
}
