package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Reads everything that the process writes, at the finest level of this module's and the library's logs. */
@Isolated
class NothingLoggedTest extends WithLogins {
    private static final List<Logger> LOGGERS =
            List.of(Logger.getLogger("io.deepsite"), Logger.getLogger("com.nimbusds"));

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final List<String> logged = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public synchronized void publish(LogRecord line) {
            logged.add(new SimpleFormatter().format(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        var both = new PrintStream(printed, true, StandardCharsets.UTF_8);
        System.setOut(both);
        System.setErr(both);
        LOGGERS.forEach(logger -> {
            logger.setLevel(Level.ALL);
            logger.addHandler(handler);
        });
    }

    @AfterEach
    void stop() {
        LOGGERS.forEach(logger -> {
            logger.removeHandler(handler);
            logger.setLevel(null);
        });
        System.setOut(out);
        System.setErr(err);
    }

    @Test
    void noTokenNoCodeAndNoCookie() throws Exception {
        serve();
        var secrets = new ArrayList<String>();
        var callback = browser.begin(provider, "/login");
        secrets.addAll(IdentityProvider.parameters(callback.getRawQuery()).values());
        browser.back(callback);
        browser.back(callback);
        secrets.addAll(browser.cookies.values());
        secrets.add(browser.get("/me").headers().firstValue("Csrf").orElseThrow());
        secrets.add(provider.lastIdToken.orElseThrow());
        secrets.add(provider.lastAccessToken.orElseThrow());
        provider.idToken = claims -> provider.signed(claims.audience("other").build());
        browser.login(provider);
        secrets.add(provider.lastIdToken.orElseThrow());
        provider.idToken = _ -> "half.a.token-of-a-provider";
        browser.login(provider);
        secrets.add(provider.lastIdToken.orElseThrow());
        var good = provider.signed(provider.claims().build());
        var foreign =
                IdentityProvider.signed(provider.claims().build(), IdentityProvider.foreignKey(), JOSEObjectType.JWT);
        for (var token : List.of(good, foreign, "eyJ-no-token.x.y")) {
            browser.get("/me", "Authorization", "Bearer " + token);
            secrets.add(token);
            secrets.add(token.split("\\.")[0]);
        }
        secrets.add(IdentityProvider.SECRET);
        provider.close();
        browser.get("/me", "Authorization", "Bearer " + foreign);
        browser.post("/change", "csrf=wrong-token-of-the-session");
        secrets.add("wrong-token-of-the-session");

        var all = String.join("", logged) + printed.toString(StandardCharsets.UTF_8);
        assertThat(all).contains("#4711 logged in from 127.0.0.1", "was refused");
        assertThat(secrets)
                .hasSizeGreaterThan(12)
                .allSatisfy(secret -> assertThat(all).doesNotContain(secret));
    }

    @Test
    void noTokenOfALoginWhenTheTablesFail() throws Exception {
        serve();
        service.tables().in(handle -> handle.execute("ALTER TABLE service.login DROP COLUMN nonce"));

        assertThat(browser.get("/login").statusCode()).isEqualTo(500);

        var all = String.join("", logged) + printed.toString(StandardCharsets.UTF_8);
        assertThat(all).contains("GET /login failed").doesNotContain("arguments:", "positional:");
    }

    @Test
    void theTestLoginWarns() {
        service = new LoginService(folder, clock, Optional.empty(), true, LimitSettings.DEFAULT, Optional.empty());

        assertThat(String.join("", logged)).contains("The test login is on");
    }
}
