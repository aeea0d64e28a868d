package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BearerTokenTest extends WithLogins {

    private int with(String token) throws Exception {
        return browser.get("/me", "Authorization", "Bearer " + token).statusCode();
    }

    @Test
    void aTokenOfTheProviderStandsForItsPerson() throws Exception {
        serve();
        var token = provider.signed(provider.claims().build());

        var answer = browser.get("/me", "Authorization", "bearer " + token);

        assertThat(answer.body()).isEqualTo(provider.issuer() + "#4711|Ada Lovelace|ada@example.org|/lab");
        assertThat(answer.headers().firstValue("Csrf")).contains("");
        assertThat(browser.setCookies).isEmpty();
    }

    @Test
    void anAccessTokenMayHaveItsOwnTypeAndSeveralAudiences() throws Exception {
        serve();

        assertThat(with(IdentityProvider.signed(
                        provider.claims().audience(List.of("other", "deepsite")).build(),
                        provider.key(),
                        new JOSEObjectType("at+jwt"))))
                .isEqualTo(200);
    }

    @Test
    void theAudienceOfTokensMayBeAnotherThanTheClient() throws Exception {
        var settings = settings();
        serve(
                new LoginSettings(
                        settings.issuer(),
                        settings.clientId(),
                        settings.clientSecret(),
                        List.of(),
                        "groups",
                        "name",
                        Optional.of("https://clusters.example.org"),
                        Optional.empty(),
                        Optional.of("deepsite-cli"),
                        false),
                LimitSettings.DEFAULT,
                Optional.empty());

        assertThat(with(provider.signed(provider.claims().build()))).isEqualTo(401);
        assertThat(with(provider.signed(provider.claims()
                        .audience("https://clusters.example.org")
                        .build())))
                .isEqualTo(200);
        assertThat(with(provider.signed(
                        provider.claims().audience("deepsite-cli").build())))
                .as("of the command line")
                .isEqualTo(200);
        assertThat(browser.login(provider).statusCode()).isEqualTo(303);
    }

    enum Bad {
        OTHER_AUDIENCE(
                (provider, claims) -> provider.signed(claims.audience("openid").build())),
        NO_AUDIENCE((provider, claims) ->
                provider.signed(claims.audience((String) null).build())),
        OTHER_ISSUER((provider, claims) ->
                provider.signed(claims.issuer("https://evil.example.org").build())),
        NO_ISSUER((provider, claims) -> provider.signed(claims.issuer(null).build())),
        EXPIRED((provider, claims) ->
                provider.signed(claims.expirationTime(Date.from(Instant.now().minus(Duration.ofMinutes(2))))
                        .build())),
        NO_END((provider, claims) -> provider.signed(claims.expirationTime(null).build())),
        NOT_YET((provider, claims) ->
                provider.signed(claims.notBeforeTime(Date.from(Instant.now().plus(Duration.ofMinutes(2))))
                        .build())),
        NO_SUBJECT((provider, claims) -> provider.signed(claims.subject(null).build())),
        UNSIGNED((_, claims) -> new PlainJWT(claims.build()).serialize()),
        SIGNED_WITH_THE_PUBLIC_KEY((provider, claims) -> CodeFlowTest.maced(provider, claims.build())),
        SIGNED_BY_ANOTHER((_, claims) ->
                IdentityProvider.signed(claims.build(), IdentityProvider.foreignKey(), JOSEObjectType.JWT)),
        OF_ANOTHER_TYPE((provider, claims) ->
                IdentityProvider.signed(claims.build(), provider.key(), new JOSEObjectType("logout+jwt")));

        private final BiFunction<IdentityProvider, JWTClaimsSet.Builder, String> token;

        Bad(BiFunction<IdentityProvider, JWTClaimsSet.Builder, String> token) {
            this.token = token;
        }
    }

    @ParameterizedTest
    @EnumSource
    void refuses(Bad bad) throws Exception {
        serve();
        var token = bad.token.apply(provider, provider.claims());

        var answer = browser.get("/me", "Authorization", "Bearer " + token);

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer error=\"invalid_token\"");
        assertThat(answer.body()).contains("DS8122").doesNotContain(token, token.split("\\.")[1]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "a.b.c",
                "eyJhbGciOiJub25lIn0.e30.",
                "....",
                "e30.e30.e30",
                "eyJhbGciOiJSUzI1NiJ9.W10.AA",
                "eyJhbGciOiJSUzI1NiJ9.eyJleHAiOiJ4In0.AA",
                "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOjF9.AA",
                "eyJhbGciOiJSUzI1NiIsImtpZCI6W119.e30.AA",
                "eyJhbGciOiJSUzI1NiJ9..",
                "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..AAAA.AA.AA"
            })
    void refusesWhatIsNoToken(String text) throws Exception {
        serve();

        assertThat(with(text)).isEqualTo(401);
    }

    @Test
    void aBadTokenIsNotMadeGoodByASession() throws Exception {
        serve();
        browser.login(provider);

        assertThat(with("x")).isEqualTo(401);
        assertThat(browser.get("/me").statusCode()).isEqualTo(200);
    }

    @Test
    void isKnownForAWhileButNotLongerThanItIsValid() throws Exception {
        serve();
        var token = provider.signed(provider.claims()
                .expirationTime(Date.from(Instant.now().minusSeconds(30)))
                .build());

        // Within the minute that clocks may differ by, it is validated each time and not remembered.
        assertThat(with(token)).isEqualTo(200);
        assertThat(with(token)).isEqualTo(200);
        assertThat(provider.keysAsked).isEqualTo(1);
    }

    @Test
    void keysOfAnotherTimeDoNotCount() throws Exception {
        serve();
        var before = provider.signed(provider.claims().build());
        provider.rotate();

        assertThat(with(before)).isEqualTo(401);
        assertThat(with(provider.signed(provider.claims().build()))).isEqualTo(200);
    }

    @Test
    void tokensWithInventedKeysDoNotMakeTheServiceAskOnAndOn() throws Exception {
        serve();
        for (int i = 0; i < 20; i++) {
            with(IdentityProvider.signed(provider.claims().build(), IdentityProvider.foreignKey(), JOSEObjectType.JWT));
        }

        assertThat(provider.keysAsked).isLessThan(10);
        assertThat(with(provider.signed(provider.claims().build()))).isEqualTo(200);
    }

    @Test
    void knownKeysAreEnoughWhileTheProviderIsDown() throws Exception {
        serve();
        assertThat(with(provider.signed(provider.claims().build()))).isEqualTo(200);

        provider.close();

        assertThat(with(provider.signed(provider.claims().subject("4712").build())))
                .isEqualTo(200);
    }

    @Test
    void saysThatTheProviderIsDownIfItsKeysAreNotKnown() throws Exception {
        serve();
        var token = provider.signed(provider.claims().build());
        provider.close();

        assertThat(with(token)).isEqualTo(502);
    }
}
