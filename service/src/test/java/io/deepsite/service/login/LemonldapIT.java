package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTParser;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real identity provider whose tokens say neither name nor groups: it tells them when asked, groups only for their
 * scope. Its issuer ends with a slash, and it would sign with no algorithm at all if a client asked it to.
 */
class LemonldapIT {
    private static final int PORT = Integer.parseInt(environment("DEEPSITE_LOGIN_PORT"));
    private static final Path PROVIDER = Path.of(environment("LEMONLDAP_TESTBED"));
    private static final Pattern HIDDEN = Pattern.compile("type=\"hidden\" name=\"(url|token)\" value=\"([^\"]*)\"");

    @TempDir
    Path folder;

    private LoginService service;

    private static String environment(String name) {
        return Objects.requireNonNull(System.getenv(name), name + " is not set: run the lane service-login");
    }

    private static String issuer() throws IOException {
        return Files.readString(PROVIDER.resolve("issuer")).strip();
    }

    private void serve(List<String> scopes) throws IOException {
        service = new LoginService(
                folder,
                InstantSource.system(),
                Optional.of(new LoginSettings(
                        issuer(),
                        "deepsite",
                        Optional.of(new SecretReference(
                                Optional.of(PROVIDER.resolve("deepsite.secret").toString()), Optional.empty())),
                        scopes,
                        "groups",
                        "name",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        true)),
                false,
                LimitSettings.DEFAULT,
                Optional.empty(),
                PORT);
    }

    @AfterEach
    void end() {
        if (service != null) {
            service.close();
        }
    }

    @Test
    void asksForNameAndGroups() throws Exception {
        serve(List.of("profile", "email", "groups"));
        var browser = service.browser();

        var answer = browser.back(consent(Browser.location(browser.get("/login?to=%2Fme")), "dwho"));

        assertThat(Browser.location(answer)).hasToString("/me");
        assertThat(browser.get("/me").body())
                .matches(
                        "http://127\\.0\\.0\\.1:\\d+#dwho\\|Doctor Who\\|dwho@badwolf\\.org\\|(timelords,users|users,timelords)");
    }

    @Test
    void withoutTheirScopeThereAreNoGroups() throws Exception {
        serve(List.of());
        var browser = service.browser();

        browser.back(consent(Browser.location(browser.get("/login")), "rtyler"));

        assertThat(browser.get("/me").body()).endsWith("#rtyler|Rose Tyler|rtyler@badwolf.org|");
    }

    @Test
    void refusesTheCodeTwice() throws Exception {
        serve(List.of());
        var browser = service.browser();
        var callback = consent(Browser.location(browser.get("/login")), "dwho");
        assertThat(browser.back(callback).statusCode()).isEqualTo(303);

        var code = IdentityProvider.parameters(callback.getRawQuery()).get("code");
        var state = IdentityProvider.parameters(
                        Browser.location(browser.get("/login")).getRawQuery())
                .get("state");

        var again = browser.get("/login/callback?code=" + code + "&state=" + state);
        assertThat(again.statusCode()).isEqualTo(403);
        assertThat(again.body()).contains("The identity provider answers invalid_");
    }

    @Test
    void anAccessTokenOfAProgramHasTheGroupsThatTheProviderTells() throws Exception {
        serve(List.of("profile", "email", "groups"));
        var access = tokens("rtyler").getOIDCTokens().getAccessToken().getValue();
        assertThat(JWTParser.parse(access).getJWTClaimsSet().getClaims()).doesNotContainKeys("groups", "name");

        var answer = service.browser().get("/me", "Authorization", "Bearer " + access);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .matches(".*#rtyler\\|Rose Tyler\\|rtyler@badwolf\\.org\\|(earthlings,users|users,earthlings)");
    }

    /** As a program gets them that the person let in. */
    private OIDCTokenResponse tokens(String user) throws Exception {
        var verifier = new CodeVerifier();
        var redirect = service.address() + "/login/callback";
        var asked = Map.of(
                "response_type", "code",
                "client_id", "deepsite",
                "scope", "openid profile email groups",
                "redirect_uri", redirect,
                "state", "program",
                "code_challenge_method", "S256",
                "code_challenge",
                        CodeChallenge.compute(CodeChallengeMethod.S256, verifier)
                                .getValue());
        var callback = consent(URI.create(issuer() + "oauth2/authorize?" + form(asked)), user);
        var code = new AuthorizationCode(
                IdentityProvider.parameters(callback.getRawQuery()).get("code"));
        var request = new TokenRequest.Builder(
                        URI.create(issuer() + "oauth2/token"),
                        new ClientSecretBasic(
                                new ClientID("deepsite"),
                                new Secret(Files.readString(PROVIDER.resolve("deepsite.secret")))),
                        new AuthorizationCodeGrant(code, URI.create(redirect), verifier))
                .build();
        return (OIDCTokenResponse)
                OIDCTokenResponseParser.parse(request.toHTTPRequest().send()).toSuccessResponse();
    }

    /** On a connection of its own: the provider's server may end an idle one just when it is used again. */
    private static HttpResponse<String> send(CookieManager cookies, HttpRequest.Builder request) throws Exception {
        try (var client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .cookieHandler(cookies)
                .build()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    /** Fills in the provider's own form; the password of its people is their name. */
    private URI consent(URI authorization, String user) throws Exception {
        var cookies = new CookieManager();
        var page = send(cookies, HttpRequest.newBuilder(authorization).header("Accept", "text/html"));
        var fields = HIDDEN.matcher(page.body())
                .results()
                .collect(Collectors.toMap(match -> match.group(1), match -> match.group(2)));
        assertThat(fields).as(page.body()).containsKeys("url", "token");
        fields.put("user", user);
        fields.put("password", user);
        var answer = send(
                cookies,
                HttpRequest.newBuilder(URI.create(issuer()))
                        .header("Accept", "text/html")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form(fields))));
        var place = Browser.location(answer);
        while (!place.toString().startsWith(service.address().toString())) {
            place = Browser.location(send(cookies, HttpRequest.newBuilder(place)));
        }
        return place;
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }
}
