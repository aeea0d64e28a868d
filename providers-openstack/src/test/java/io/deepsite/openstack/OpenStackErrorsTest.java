package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.openstack.Credentials.ClientCertificate;
import io.deepsite.site.load.Golden;
import io.deepsite.state.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import mockwebserver3.MockResponse;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Messages about a cloud that does not answer as it should; the texts are in golden/errors. */
class OpenStackErrorsTest {
    @RegisterExtension
    private final RecordedCloud recorded = new RecordedCloud();

    @TempDir
    private Path folder;

    @Test
    void wrongPassword() {
        recorded.on("POST /v3/auth/tokens", "token-refused");

        ErrorText.says(
                folder, "credentials/DS2305-password", () -> recorded.cloud().projectId());
    }

    @Test
    void accessTokenRefused() {
        recorded.on("POST /v3/OS-FEDERATION/identity_providers/egi/protocols/openid/auth", "token-refused");
        var method = new Credentials.OidcAccessToken(
                "egi", "openid", Optional.of(Secret.of("oidc-access")), Optional.empty());

        ErrorText.says(
                folder,
                "credentials/DS2305-access-token",
                () -> recorded.cloud(by(method, recorded.credentials().scope())).projectId());
    }

    @Test
    void projectWithoutRole() {
        recorded.on(
                        "POST /v3/auth/tokens",
                        request -> request.getBody().utf8().contains("unscoped")
                                ? recorded.answer("token-unscoped")
                                : recorded.answer("token-no-role"))
                .on("GET /v3/auth/projects", "auth-projects");
        var scope = new Credentials.Scope(new Credentials.Named(
                Optional.empty(),
                Optional.of("labs"),
                Optional.of(new Credentials.Domain(Optional.of("default"), Optional.empty()))));

        ErrorText.says(
                folder,
                "credentials/DS2306-project",
                () -> recorded.cloud(by(recorded.credentials().method(), Optional.of(scope)))
                        .projectId());
    }

    @Test
    void noProjectAtAll() {
        recorded.on("POST /v3/auth/tokens", "token-unscoped");

        ErrorText.says(
                folder,
                "credentials/DS2303-no-project",
                () -> recorded.cloud(by(recorded.credentials().method(), Optional.empty()))
                        .projectId());
    }

    @Test
    void unknownRegion() {
        var credentials = RecordedCloud.credentials(recorded.url("v3"), Optional.of("RegionTwo"), "public");

        ErrorText.says(
                folder,
                "services/DS2307-unknown",
                () -> recorded.cloud(credentials).url(Service.COMPUTE));
    }

    @Test
    void severalRegionsAndNoneNamed() {
        recorded.on(
                "POST /v3/auth/tokens",
                _ -> recorded.answer(
                        "token",
                        body -> body.replaceFirst("\"region_id\":\"RegionOne\"", "\"region_id\":\"RegionTwo\"")));
        var credentials = RecordedCloud.credentials(recorded.url("v3"), Optional.empty(), "public");

        ErrorText.says(
                folder,
                "services/DS2307-several",
                () -> recorded.cloud(credentials).url(Service.COMPUTE));
    }

    @Test
    void noVolumeService() {
        ErrorText.says(
                folder,
                "services/DS2308-no-service",
                () -> recorded.cloud().rest(Service.VOLUME).get("/limits"));
    }

    @Test
    void noSuchInterface() {
        var credentials = RecordedCloud.credentials(recorded.url("v3"), Optional.empty(), "admin");

        ErrorText.says(
                folder,
                "services/DS2308-no-interface",
                () -> recorded.cloud(credentials).rest(Service.COMPUTE).get("/limits"));
    }

    @Test
    void certificateOfAnUnknownAuthority() throws Exception {
        try (var secure = new SelfSigned(folder).serving(recorded)) {
            var credentials = RecordedCloud.credentials(secure.url(), Optional.empty(), "public");

            ErrorText.says(
                    folder,
                    "credentials/DS2309-authority",
                    () -> recorded.cloud(credentials).projectId());
        }
    }

    @Test
    void trustsTheAuthorityThatIsNamed() throws Exception {
        try (var secure = new SelfSigned(folder).serving(recorded)) {
            var plain = RecordedCloud.credentials(secure.url(), Optional.empty(), "public");
            var credentials = with(plain, Optional.empty(), Optional.of(secure.certificate()));

            assertThat(recorded.cloud(credentials).projectName()).isEqualTo("lab");
        }
    }

    @Test
    void authorityThatIsNoCertificate() throws IOException {
        var file = Files.writeString(folder.resolve("ca.pem"), "not a certificate\n");
        var plain = recorded.credentials();
        var credentials = with(plain, Optional.empty(), Optional.of(file));

        ErrorText.says(folder, "credentials/DS2303-authority", () -> recorded.cloud(credentials));
    }

    @Test
    void showsItsCertificateToAServerThatAsks() throws Exception {
        try (var secure = new SelfSigned(folder).servingWhoShowsOne(recorded)) {
            var plain = RecordedCloud.credentials(secure.url(), Optional.empty(), "public");
            var authority = Optional.of(secure.certificate());
            var ours = new ClientCertificate(secure.certificate(), secure.key());

            assertThat(recorded.cloud(with(plain, Optional.of(ours), authority)).projectName())
                    .isEqualTo("lab");
            assertThatThrownBy(() -> recorded.cloud(with(plain, Optional.empty(), authority))
                            .projectName())
                    .isInstanceOf(Failure.class);
        }
    }

    @Test
    void clientKeyOfAnotherForm() throws Exception {
        var pem = "-----BEGIN RSA PRIVATE KEY-----\nMAA=\n-----END RSA PRIVATE KEY-----\n";
        var key = Files.writeString(folder.resolve("client.key"), pem);
        try (var secure = new SelfSigned(folder).serving(recorded)) {
            var client = Optional.of(new ClientCertificate(secure.certificate(), key));

            ErrorText.says(
                    folder,
                    "credentials/DS2303-client-key",
                    () -> recorded.cloud(with(recorded.credentials(), client, Optional.empty())));
        }
    }

    private static Credentials with(Credentials plain, Optional<ClientCertificate> client, Optional<Path> authority) {
        return new Credentials(
                plain.origin(),
                plain.authUrl(),
                plain.method(),
                plain.scope(),
                plain.region(),
                plain.facing(),
                client,
                authority);
    }

    @Test
    void nobodyListens() throws IOException {
        int free;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        var credentials =
                RecordedCloud.credentials(HttpUrl.get("http://127.0.0.1:" + free + "/v3"), Optional.empty(), "public");

        ErrorText.says(
                folder,
                "services/DS2001-openstack",
                () -> recorded.cloud(credentials).projectId());
    }

    @Test
    void keystoneOfVersion2Only() {
        recorded.on(
                "GET /",
                _ -> new MockResponse.Builder()
                        .code(300)
                        .body("{\"versions\": {\"values\": [{\"id\": \"v2.0\", \"status\": \"deprecated\"}]}}")
                        .build());
        var credentials = RecordedCloud.credentials(recorded.url("v2.0"), Optional.empty(), "public");

        ErrorText.says(
                folder,
                "services/DS2310-version-2",
                () -> recorded.cloud(credentials).projectId());
    }

    @Test
    void notKeystone() {
        recorded.on(
                        "POST /v3/auth/tokens",
                        _ -> new MockResponse.Builder().code(404).build())
                .on(
                        "GET /",
                        _ -> new MockResponse.Builder()
                                .body("<h1>It works!</h1>")
                                .build());

        ErrorText.says(
                folder, "services/DS2310-not-keystone", () -> recorded.cloud().projectId());
    }

    @Test
    void forbidden() {
        recorded.on("POST /v2.1/flavors", "nova-forbidden");
        refusedCall("services/DS2311-policy", Service.COMPUTE, "/flavors");
    }

    @Test
    void forbiddenInGlancesMarkup() {
        recorded.on("POST /v2/images", "glance-forbidden");
        refusedCall("services/DS2311-policy-of-glance", Service.IMAGE, "/images");
    }

    @Test
    void refused() {
        recorded.on("POST /v2.1/servers", "nova-bad-request");
        refusedCall("services/DS2002-openstack", Service.COMPUTE, "/servers");
    }

    @Test
    void quotaTooSmall() {
        var needs = new Needs();
        needs.add(Quota.CORES, "head", 8);
        needs.add(Quota.CORES, "node", 128);
        needs.add(Quota.FLOATING_IPS, "node", 9);

        ErrorText.says(folder, "quota/DS2312-quota", () -> {
            throw new Failure(needs.faults(Quotas.read(recorded.cloud())));
        });
    }

    @Test
    void quotaThatNovaFindsTooSmallMeanwhile() {
        recorded.on("POST /v2.1/servers", "nova-over-quota");
        refusedCall("quota/DS2312-refused-by-nova", Service.COMPUTE, "/servers");
    }

    @Test
    void quotaThatNeutronFindsTooSmallMeanwhile() {
        recorded.on("POST /v2.0/networks", "neutron-over-quota");
        refusedCall("quota/DS2312-refused-by-neutron", Service.NETWORK, "/networks");
    }

    private void refusedCall(String name, Service service, String path) {
        var cloud = recorded.cloud();
        var refusal =
                catchThrowableOfType(Refusal.class, () -> cloud.rest(service).post(path, Map.of()));

        ErrorText.says(folder, name, () -> {
            throw cloud.faults().refused(refusal, Faults.NOTHING_CHANGED);
        });
    }

    @Test
    void everyCodeOfTheConnectionHasACase() throws IOException {
        var names = Golden.cases(ErrorText.CASES).stream()
                .map(f -> f.getFileName().toString())
                .toList();

        assertThat(Arrays.stream(Code.values()).map(Code::id).filter(id -> id.matches("DS23[01].")))
                .isNotEmpty()
                .allSatisfy(id -> assertThat(names).anyMatch(name -> name.startsWith(id)));
    }

    private Credentials by(Credentials.Method method, Optional<Credentials.Scope> scope) {
        return new Credentials(
                "cloud lab of clouds.yaml",
                recorded.url("v3"),
                method,
                scope,
                Optional.empty(),
                "public",
                Optional.empty(),
                Optional.empty());
    }
}
