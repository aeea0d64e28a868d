package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Pause;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs in to the real Keystone of testbed/openstack, as each entry of its clouds.yaml. Changes nothing there. */
class OpenStackLoginIT {
    private final ConcurrentLinkedDeque<String> tokens = new ConcurrentLinkedDeque<>();

    @ParameterizedTest
    @ValueSource(strings = {"tenant", "tenant-app"})
    void logsInByPasswordAndByApplicationCredential(String name) {
        try (var cloud = Connection.open(credentials(name))) {
            assertThat(cloud.projectName()).isEqualTo("lab");
            assertThat(cloud.client().networking().network().list())
                    .extracting(network -> network.getName())
                    .contains("public");
            assertThat(cloud.client().compute().flavors().list(false)).isNotEmpty();
            assertThat(cloud.client().imagesV2().list()).isNotEmpty();
            assertThat(cloud.versions(Service.COMPUTE).takes(new Microversion(2, 67)))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"wrong-password, OPENSTACK_LOGIN_REFUSED", "no-role, OPENSTACK_NO_ROLE"})
    void tellsAWrongPasswordFromAMissingRole(String name, Code code) {
        try (var cloud = Connection.open(credentials(name))) {
            var failure = catchThrowableOfType(Failure.class, cloud::projectId);

            assertThat(failure.diagnostics()).singleElement().satisfies(found -> {
                assertThat(found.code()).isEqualTo(code);
                assertThat(found.why()).contains("req-");
            });
        }
    }

    @Test
    void readsTheQuotasOfTheProject() {
        try (var cloud = Connection.open(credentials("tenant"))) {
            var quotas = Quotas.read(cloud);

            assertThat(quotas.of())
                    .containsKeys(Quota.CORES, Quota.RAM, Quota.INSTANCES, Quota.PORTS, Quota.FLOATING_IPS);
            assertThat(quotas.of().get(Quota.CORES).limit()).isPositive();
        }
    }

    @Test
    void goesOnWithANewTokenWhenItsOwnIsRevoked() throws Exception {
        var credentials = credentials("tenant");
        var client = watched(credentials);
        try (var cloud = new Cloud(credentials, http(client), Clock.systemUTC())) {
            cloud.rest(Service.IDENTITY).get("/auth/projects");
            var first = tokens.getLast();
            revoke(client, first, cloud.url(Service.IDENTITY));

            var projects = cloud.rest(Service.IDENTITY).get("/auth/projects").path("projects");

            assertThat(projects).isNotEmpty();
            assertThat(tokens.getLast()).isNotEqualTo(first);
        }
    }

    @Test
    void servesManyVirtualThreadsWithOneLogin() {
        var found = new ConcurrentLinkedQueue<Integer>();
        try (var cloud = Connection.open(credentials("tenant"));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 30; i++) {
                threads.submit(() ->
                        found.add(cloud.client().networking().network().list().size()));
            }
            threads.close();

            assertThat(found).hasSize(30).doesNotContain(0);
            assertThat(cloud.requests().recent())
                    .filteredOn(sent -> sent.url().endsWith("/auth/tokens"))
                    .hasSize(1);
        }
    }

    private static Credentials credentials(String name) {
        var environment = new Environment(
                System.getenv(),
                Path.of("").toAbsolutePath(),
                Path.of(System.getProperty("user.home")),
                Path.of("/etc/openstack"));
        return new CredentialsReader(environment, RecordedCloud.settings(Optional.of(name))).read();
    }

    /** Records the tokens that are sent. */
    private OkHttpClient watched(Credentials credentials) {
        return Connection.client(credentials)
                .newBuilder()
                .addNetworkInterceptor(chain -> {
                    Optional.ofNullable(chain.request().header("X-Auth-Token")).ifPresent(tokens::addLast);
                    return chain.proceed(chain.request());
                })
                .build();
    }

    private static Http http(OkHttpClient client) {
        var backoff = new Backoff(4, Duration.ofMillis(200), Duration.ofSeconds(5), RandomGenerator.getDefault());
        return new Http(client, backoff, Pause.REAL, Clock.systemUTC(), new Requests());
    }

    private static void revoke(OkHttpClient client, String token, String keystone) throws Exception {
        var request = new Request.Builder()
                .url(keystone + "/auth/tokens")
                .header("X-Auth-Token", token)
                .header("X-Subject-Token", token)
                .delete()
                .build();
        try (var response = client.newCall(request).execute()) {
            assertThat(response.code()).isEqualTo(204);
        }
    }
}
