package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.state.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoginTest {
    @RegisterExtension
    private final RecordedCloud recorded = new RecordedCloud();

    @Test
    void logsInOnceForAllCalls() {
        recorded.on("GET /v2.0/networks", "neutron-networks");
        var cloud = recorded.cloud();

        cloud.client().networking().network().list();
        cloud.client().networking().network().list();

        assertThat(recorded.sent()).containsExactly("POST /v3/auth/tokens", "GET /v2.0/networks", "GET /v2.0/networks");
        assertThat(recorded.header(1, "X-Auth-Token")).isEqualTo("token-1");
        assertThat(recorded.header(1, "User-Agent")).isEqualTo("deepsite");
    }

    @Test
    void renewsTheTokenBeforeItEnds() {
        recorded.on("GET /v2.0/networks", "neutron-networks");
        var cloud = recorded.cloud();
        cloud.rest(Service.NETWORK).get("/networks");

        recorded.clock.now = RecordedCloud.NOW.plusSeconds(3 * 3600 + 34 * 60);
        cloud.rest(Service.NETWORK).get("/networks");

        assertThat(recorded.tokens).hasValue(2);
        assertThat(recorded.header(3, "X-Auth-Token")).isEqualTo("token-2");
    }

    @Test
    void renewsATokenThatTheCloudNoLongerTakesAndSendsTheCallAgain() {
        recorded.on(
                "POST /v2.0/networks",
                request -> "token-1".equals(request.getHeaders().get("X-Auth-Token"))
                        ? recorded.answer("nova-bad-token")
                        : new MockResponse.Builder()
                                .code(201)
                                .body("{\"network\": {\"id\": \"n1\"}}")
                                .build());

        var made = recorded.cloud().rest(Service.NETWORK).post("/networks", Map.of("network", Map.of("name", "n")));

        assertThat(made.path("network").path("id").asString()).isEqualTo("n1");
        assertThat(recorded.sent())
                .containsExactly(
                        "POST /v3/auth/tokens", "POST /v2.0/networks", "POST /v3/auth/tokens", "POST /v2.0/networks");
        assertThat(recorded.requests.get(3).getBody())
                .isEqualTo(recorded.requests.get(1).getBody());
    }

    @Test
    void tellsARefusalThatANewTokenDoesNotMend() {
        recorded.on("GET /v2.1/servers", "nova-bad-token");
        var cloud = recorded.cloud();

        assertThatThrownBy(() -> cloud.rest(Service.COMPUTE).get("/servers"))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(401));
        assertThat(recorded.tokens).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"token\":{\"project\":{\"id\":\"p\"}}}",
                "{\"token\":{\"project\":{\"id\":\"p\"},\"expires_at\":\"tomorrow\"}}",
                "{\"token\":{\"project\":{\"id\":\"p\"},\"expires_at\":\"2031-01-01T00:00:00Z\",\"roles\":\"x\"}}",
                "<html>proxy</html>"
            })
    void aLoginThatIsAnsweredInAnotherFormIsTold(String body) {
        recorded.on(
                "POST /v3/auth/tokens",
                _ -> new MockResponse.Builder()
                        .code(201)
                        .addHeader("X-Subject-Token", "t")
                        .body(body)
                        .build());

        assertThatThrownBy(() -> recorded.cloud().projectName())
                .isInstanceOfSatisfying(
                        Failure.class,
                        e -> assertThat(e.diagnostics())
                                .singleElement()
                                .satisfies(fault -> assertThat(fault.why())
                                        .contains("/v3/auth/tokens", "not as Keystone answers")
                                        .doesNotContain("openstack4j")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>proxy</html>", "", "{}", "{\"networks\":null}", "{\"networks\":{\"a\":1}}", "[]"})
    void aListOfAnotherFormIsNotTakenForAnEmptyOne(String body) {
        recorded.on(
                "GET /v2.0/networks",
                _ -> new MockResponse.Builder().code(200).body(body).build());
        var networks = recorded.cloud().rest(Service.NETWORK);

        assertThatThrownBy(() -> networks.list("/networks", Map.of(), "networks"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.error())
                                .isEqualTo("not as the service answers (no list of networks)"));
    }

    @Test
    void logsInByApplicationCredentialWithoutAScope() {
        recorded.on("POST /v3/auth/tokens", "token-application");
        var method = new Credentials.ApplicationCredential(
                Optional.of("d83d"), Optional.empty(), Optional.empty(), Secret.of("app-secret"));

        assertThat(recorded.cloud(by(method, Optional.empty())).projectName()).isEqualTo("lab");

        var body = recorded.requests.getFirst().getBody().utf8();
        assertThat(Json.MAPPER.readTree(body).path("auth").has("scope")).isFalse();
        assertThat(Json.MAPPER
                        .readTree(body)
                        .at("/auth/identity/application_credential/secret")
                        .asString())
                .isEqualTo("app-secret");
    }

    @Test
    void changesAnOidcAccessTokenForOneOfTheProject() {
        recorded.on("POST /v3/OS-FEDERATION/identity_providers/egi/protocols/openid/auth", "token-unscoped");
        var method = new Credentials.OidcAccessToken(
                "egi", "openid", Optional.of(Secret.of("oidc-access")), Optional.empty());
        var cloud = recorded.cloud(by(method, recorded.credentials().scope()));

        assertThat(cloud.projectName()).isEqualTo("lab");

        assertThat(recorded.header(0, "Authorization")).isEqualTo("Bearer oidc-access");
        var scoping = Json.MAPPER.readTree(recorded.requests.get(1).getBody().utf8());
        assertThat(scoping.at("/auth/identity/token/id").asString()).isEqualTo("token-1");
        assertThat(scoping.at("/auth/scope/project/name").asString()).isEqualTo("lab");
    }

    @Test
    void readsTheFileWithTheAccessTokenAnewForEachLogin(@TempDir Path folder) throws IOException {
        var login = "/v3/OS-FEDERATION/identity_providers/egi/protocols/openid/auth";
        recorded.on("POST " + login, "token-unscoped").on("GET /v2.0/networks", "neutron-networks");
        var file = Files.writeString(folder.resolve("token"), "first\n");
        var method = new Credentials.OidcAccessToken("egi", "openid", Optional.empty(), Optional.of(file));
        var cloud = recorded.cloud(by(method, recorded.credentials().scope()));
        cloud.rest(Service.NETWORK).get("/networks");

        Files.writeString(file, "second\n");
        recorded.clock.now = RecordedCloud.NOW.plusSeconds(3 * 3600 + 34 * 60);
        cloud.rest(Service.NETWORK).get("/networks");

        assertThat(recorded.requests)
                .filteredOn(request -> request.getUrl().encodedPath().equals(login))
                .extracting(request -> request.getHeaders().get("Authorization"))
                .containsExactly("Bearer first", "Bearer second");
    }

    @Test
    void usesATokenThatSomebodyElseGotToItsEnd() {
        recorded.on("GET /v2.0/networks", "neutron-networks");
        var cloud = recorded.cloud(by(
                new Credentials.Token(Secret.of("given")),
                recorded.credentials().scope()));
        cloud.rest(Service.NETWORK).get("/networks");

        recorded.clock.now = RecordedCloud.NOW.plusSeconds(3 * 3600 + 35 * 60);
        cloud.rest(Service.NETWORK).get("/networks");

        assertThat(recorded.tokens).hasValue(1);
    }

    @Test
    void findsVersion3BelowAnAddressWithoutAVersion() {
        var cloud = recorded.cloud(RecordedCloud.credentials(recorded.url(""), Optional.empty(), "public"));

        assertThat(cloud.region()).isEqualTo("RegionOne");
        assertThat(recorded.sent()).containsExactly("GET /", "POST /v3/auth/tokens");
    }

    private Credentials by(Credentials.Method method, Optional<Credentials.Scope> scope) {
        return new Credentials(
                "cloud lab of clouds.yaml",
                recorded.url("v3"),
                method,
                scope,
                Optional.of("RegionOne"),
                "public",
                Optional.empty(),
                Optional.empty());
    }
}
