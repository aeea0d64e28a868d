package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.deepsite.service.records.Tables;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodeFlowTest extends WithLogins {

    @Test
    void logsInAndReturnsToWhereThePersonWantedToGo() throws Exception {
        serve();
        assertThat(browser.get("/me").statusCode()).isEqualTo(401);

        var asked = Browser.location(browser.get("/login?to=%2Fsites%3Fproject%3Dlab"));
        var parameters = IdentityProvider.parameters(asked.getRawQuery());
        var answer = browser.back(provider.consent(asked));

        assertThat(parameters)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", "deepsite")
                .containsEntry("code_challenge_method", "S256")
                .containsEntry("redirect_uri", service.address() + "/login/callback")
                .containsEntry("scope", "openid email profile");
        assertThat(answer.statusCode()).isEqualTo(303);
        assertThat(Browser.location(answer)).hasToString("/sites?project=lab");
        assertThat(browser.get("/me").body()).isEqualTo(provider.issuer() + "#4711|Ada Lovelace|ada@example.org|/lab");
        assertThat(service.events).containsExactly("LOGIN " + provider.issuer() + "#4711 127.0.0.1");
    }

    /** What an attacker, or a provider at fault, may hand in for the ID token. */
    enum Bad {
        OTHER_NONCE((provider, claims) ->
                provider.signed(claims.claim("nonce", "another").build())),
        NO_NONCE((provider, claims) ->
                provider.signed(claims.claim("nonce", null).build())),
        OTHER_AUDIENCE(
                (provider, claims) -> provider.signed(claims.audience("other").build())),
        OTHER_AUTHORIZED_PARTY((provider, claims) -> provider.signed(claims.audience(List.of("deepsite", "other"))
                .claim("azp", "other")
                .build())),
        OTHER_ISSUER((provider, claims) ->
                provider.signed(claims.issuer("https://evil.example.org").build())),
        LONGER_ISSUER((provider, claims) ->
                provider.signed(claims.issuer(provider.issuer() + "//").build())),
        EXPIRED((provider, claims) ->
                provider.signed(claims.expirationTime(Date.from(Instant.now().minus(Duration.ofMinutes(2))))
                        .build())),
        NO_END((provider, claims) -> provider.signed(claims.expirationTime(null).build())),
        NO_SUBJECT((provider, claims) -> provider.signed(claims.subject(null).build())),
        UNSIGNED((_, claims) -> new PlainJWT(claims.build()).serialize()),
        SIGNED_WITH_THE_PUBLIC_KEY((provider, claims) -> maced(provider, claims.build())),
        SIGNED_BY_ANOTHER((provider, claims) -> {
            var other = new RSAKey.Builder(IdentityProvider.foreignKey())
                    .keyID(provider.key().getKeyID())
                    .build();
            return IdentityProvider.signed(claims.build(), other, JOSEObjectType.JWT);
        }),
        ALTERED((provider, claims) -> {
            var parts = provider.signed(claims.build()).split("\\.");
            return parts[0] + "."
                    + claims.claim("groups", List.of("/admins"))
                            .build()
                            .toPayload()
                            .toBase64URL() + "." + parts[2];
        }),
        NO_TOKEN((_, _) -> "no token");

        private final BiFunction<IdentityProvider, JWTClaimsSet.Builder, String> token;

        Bad(BiFunction<IdentityProvider, JWTClaimsSet.Builder, String> token) {
            this.token = token;
        }
    }

    /** HS256 with the published key as its secret: a validator that takes the algorithm from the token accepts it. */
    static String maced(IdentityProvider provider, JWTClaimsSet claims) {
        try {
            var token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.HS256)
                            .keyID(provider.key().getKeyID())
                            .build(),
                    claims);
            token.sign(new MACSigner(provider.key().toRSAPublicKey().getEncoded()));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesIdTokens(Bad bad) throws Exception {
        provider.idToken = claims -> bad.token.apply(provider, claims);
        serve();

        var answer = browser.login(provider);

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("DS8121").doesNotContain("eyJ");
        assertThat(browser.cookies).doesNotContainKey("deepsite-session");
        assertThat(service.events).isEmpty();
    }

    @Test
    void refusesAnAnswerThatNobodyAskedFor() throws Exception {
        serve();
        var callback = browser.begin(provider, "/login");

        var otherState = browser.get("/login/callback?code=x&state=" + OpaqueToken.fresh());
        var noState = browser.get("/login/callback?code=x");
        var otherBrowser = service.browser().back(callback);
        var ownCookie = service.browser();
        ownCookie.get("/login");
        var otherLogin = ownCookie.back(callback);

        assertThat(List.of(otherState, noState, otherBrowser, otherLogin))
                .allSatisfy(answer -> assertThat(answer.statusCode()).isEqualTo(403));
        assertThat(browser.back(callback).statusCode()).isEqualTo(303);
    }

    @Test
    void refusesTheSameAnswerTwice() throws Exception {
        serve();
        var callback = browser.begin(provider, "/login");

        assertThat(browser.back(callback).statusCode()).isEqualTo(303);
        assertThat(browser.back(callback).statusCode()).isEqualTo(403);
    }

    @Test
    void refusesTheCodeOfAnotherLogin() throws Exception {
        serve();
        var attacker = service.browser().begin(provider, "/login");
        var victim = browser.begin(provider, "/login");
        var code = IdentityProvider.parameters(attacker.getRawQuery()).get("code");
        var state = IdentityProvider.parameters(victim.getRawQuery()).get("state");

        var answer = browser.get("/login/callback?code=" + code + "&state=" + state);

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("invalid_grant");
    }

    @Test
    void refusesAnAnswerThatComesTooLate() throws Exception {
        serve();
        var callback = browser.begin(provider, "/login");

        clock.pass(PendingLogins.LONGEST.plusSeconds(1));

        assertThat(browser.back(callback).statusCode()).isEqualTo(403);
    }

    @Test
    void severalLoginsOfOneBrowserMayBeOnTheirWay() throws Exception {
        serve();
        var first = browser.begin(provider, "/login?to=%2Ffirst");
        var second = browser.begin(provider, "/login?to=%2Fsecond");

        assertThat(Browser.location(browser.back(first))).hasToString("/first");
        assertThat(Browser.location(browser.back(second))).hasToString("/second");
    }

    @Test
    void saysWhatTheProviderAnswersOnlyIfItAnswersThisLogin() throws Exception {
        serve();
        var state = IdentityProvider.parameters(
                        browser.begin(provider, "/login").getRawQuery())
                .get("state");
        var text = "error=access_denied&error_description=not%0D%0Atoday&state=";

        assertThat(browser.get("/login/callback?" + text + "guessed").body()).doesNotContain("not today");
        assertThat(browser.get("/login/callback?" + text + state).body()).contains("access_denied: not today");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "code=%00",
                "code=",
                "code=a%0Ab",
                "error=",
                "error=%E2%82%AC%22",
                "iss=%00&code=a",
                "code=a&code=b",
                ""
            })
    void refusesAnswersThatNoProviderGives(String answer) throws Exception {
        serve();
        var state = IdentityProvider.parameters(
                        browser.begin(provider, "/login").getRawQuery())
                .get("state");

        assertThat(browser.get("/login/callback?state=" + state + "&" + answer).statusCode())
                .isEqualTo(403);
    }

    @Test
    void refusesTheAnswerOfAnotherProvider() throws Exception {
        provider.namesIssuer = true;
        serve();
        var right = browser.begin(provider, "/login");
        var wrong = browser.begin(provider, "/login").toString();
        var none = browser.begin(provider, "/login").toString();

        assertThat(browser.back(right).statusCode()).isEqualTo(303);
        assertThat(browser.back(URI.create(wrong.replaceFirst("&iss=.*", "&iss=https://evil.example.org")))
                        .body())
                .contains("another identity provider");
        assertThat(browser.back(URI.create(none.replaceFirst("&iss=.*", ""))).statusCode())
                .isEqualTo(403);
    }

    @Test
    void replicasShareLogins() throws Exception {
        Replicas.shareLogins(Tables.inFolder(folder), provider);
    }

    @Test
    void learnsANewKey() throws Exception {
        serve();
        assertThat(browser.login(provider).statusCode()).isEqualTo(303);

        provider.rotate();

        assertThat(browser.login(provider).statusCode()).isEqualTo(303);
        assertThat(provider.keysAsked).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/"})
    void theSlashOfTheIssuerMayComeAndGo(String slash) throws Exception {
        provider.slash = slash;
        for (var asked : List.of(provider.base(), provider.base() + "/")) {
            for (var named : List.of(provider.base(), provider.base() + "/")) {
                provider.idToken =
                        claims -> provider.signed(claims.issuer(named).build());
                serve(settings(asked, settings().clientSecret()), LimitSettings.DEFAULT, Optional.empty());

                assertThat(browser.login(provider).statusCode())
                        .as(asked + " " + named)
                        .isEqualTo(303);
                assertThat(browser.get("/me").body()).startsWith(provider.base() + "#4711|");
            }
        }
    }

    @Test
    void asksForWhatTheIdTokenDoesNotSay() throws Exception {
        provider.idToken = claims -> provider.signed(claims.claim("groups", null)
                .claim("name", null)
                .claim("email", null)
                .build());
        provider.userInfo = Map.of("sub", "4711", "name", "Ada", "groups", List.of("/lab", "/course"));
        serve();

        browser.login(provider);

        assertThat(browser.get("/me").body()).endsWith("#4711|Ada||/lab,/course");
    }

    @Test
    void asksForAnAddressThatTheTokenLacks() throws Exception {
        provider.idToken = claims -> provider.signed(claims.claim("email", null).build());
        provider.userInfo = Map.of("sub", "4711", "email", "ada@example.org", "email_verified", true);
        serve();

        browser.login(provider);

        assertThat(browser.get("/me").body()).endsWith("#4711|Ada Lovelace|ada@example.org|/lab");
    }

    @Test
    void noLoginFailsForWantOfAnAddress() throws Exception {
        provider.idToken = claims -> provider.signed(claims.claim("email", null).build());
        // An answer without a subject, which is none.
        provider.userInfo = Map.of();
        serve();

        browser.login(provider);

        assertThat(browser.get("/me").body()).endsWith("#4711|Ada Lovelace||/lab");
    }

    @Test
    void usesNoAnswerAboutSomebodyElse() throws Exception {
        provider.idToken =
                claims -> provider.signed(claims.claim("groups", null).build());
        provider.userInfo = Map.of("sub", "1", "groups", List.of("/admins"));
        serve();

        browser.login(provider);

        assertThat(browser.get("/me").body()).endsWith("#4711|Ada Lovelace|ada@example.org|");
    }

    @Test
    void theClientNeedNotHaveASecret() throws Exception {
        provider.authentication = List.of("none");
        serve(settings(provider.issuer(), Optional.empty()), LimitSettings.DEFAULT, Optional.empty());

        assertThat(browser.login(provider).statusCode()).isEqualTo(303);
        assertThat(provider.lastAuthorization).isEmpty();
    }

    @Test
    void sendsTheSecretAsTheProviderWantsIt() throws Exception {
        provider.authentication = List.of("client_secret_post");
        serve();

        assertThat(browser.login(provider).statusCode()).isEqualTo(303);
        assertThat(provider.lastAuthorization).isEmpty();
    }

    @Test
    void saysThatTheProviderIsDown() throws Exception {
        serve();
        provider.close();

        var answer = browser.get("/login");

        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(answer.body()).contains("DS8120", provider.base() + "/.well-known/openid-configuration");
    }

    @Test
    void refusesAProviderWithAnotherName() throws Exception {
        serve(
                settings(
                        provider.base().replace("127.0.0.1", "localhost"),
                        settings().clientSecret()),
                LimitSettings.DEFAULT,
                Optional.empty());

        var answer = browser.get("/login");

        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(answer.body()).contains("it calls itself " + provider.base());
    }
}
