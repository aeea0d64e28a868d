package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.service.records.Tables;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;

/** Two processes of a service at one address, where each request may come to another one. */
final class Replicas {
    private Replicas() {}

    static void shareLogins(Tables tables, IdentityProvider provider) throws Exception {
        try (var first = replica(tables, provider);
                var second = replica(tables, provider)) {
            var there = first.browser();
            var callback = there.begin(provider, "/login?to=%2Fme");
            var here = second.browser();
            here.cookies.putAll(there.cookies);

            assertThat(Browser.location(here.back(callback))).hasToString("/me");
            there.cookies.putAll(here.cookies);
            var seen = there.get("/me");
            assertThat(seen.body()).isEqualTo(provider.base() + "#4711|Ada Lovelace|ada@example.org|/lab");
            assertThat(there.back(callback).statusCode()).isEqualTo(403);

            var csrf = seen.headers().firstValue("Csrf").orElseThrow();
            assertThat(here.post("/logout", "csrf=" + csrf).statusCode()).isEqualTo(303);
            assertThat(there.get("/me").statusCode()).isEqualTo(401);
        }
    }

    private static LoginService replica(Tables tables, IdentityProvider provider) {
        return new LoginService(
                tables,
                InstantSource.system(),
                Optional.of(WithLogins.settings(
                        provider.issuer(),
                        Optional.of(new SecretReference(Optional.empty(), Optional.of("CLIENT_SECRET"))))),
                false,
                LimitSettings.DEFAULT,
                Optional.of(URI.create("https://clusters.example.org")),
                0);
    }
}
