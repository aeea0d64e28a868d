package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import mockwebserver3.MockResponse;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openstack4j.api.Builders;
import tools.jackson.databind.node.ObjectNode;

class CloudTest {
    private static final String VERSION = "OpenStack-API-Version";

    @RegisterExtension
    private final RecordedCloud recorded = new RecordedCloud();

    @Test
    void readsThroughOpenstack4jWhatARealCloudAnswered() {
        recorded.on("GET /v2.0/networks", "neutron-networks").on("GET /v2/images", "glance-images");
        var cloud = recorded.cloud();

        var network = cloud.client().networking().network().list().getFirst();
        var image = cloud.client().imagesV2().list().getFirst();

        assertThat(network.getName()).isEqualTo("public");
        assertThat(network.isRouterExternal()).isTrue();
        assertThat(image.getName()).isEqualTo("debian-12");
        assertThat(cloud.projectName()).isEqualTo("lab");
    }

    @Test
    void servesManyVirtualThreadsWithOneLogin() throws Exception {
        recorded.on("GET /v2.0/networks", "neutron-networks");
        var cloud = recorded.cloud();
        var names = new ConcurrentLinkedQueue<String>();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                threads.submit(() -> names.add(
                        cloud.client().networking().network().list().getFirst().getName()));
            }
        }

        assertThat(names).hasSize(100).containsOnly("public");
        assertThat(recorded.tokens).hasValue(1);
        assertThat(cloud.requests().count()).isEqualTo(101);
    }

    @Test
    void keepsTwoCloudsOfOneThreadApart() {
        try (var other = new RecordedCloud().start()) {
            recorded.on("GET /v2.0/networks", "neutron-networks");
            other.on("GET /v2.0/networks", "neutron-networks");
            var first = recorded.cloud();
            var second = other.cloud();

            first.client().networking().network().list();
            second.client().networking().network().list();
            first.client().networking().network().list();

            assertThat(recorded.sent()).filteredOn("GET /v2.0/networks"::equals).hasSize(2);
            assertThat(other.sent()).filteredOn("GET /v2.0/networks"::equals).hasSize(1);
        }
    }

    @Test
    void speaksOneMicroversionOfNovaHoweverItAsks() {
        recorded.on("GET /v2.1/flavors", "flavors").on("GET /v2.0/networks", "neutron-networks");
        var cloud = recorded.cloud();

        cloud.rest(Service.COMPUTE).get("/flavors");
        cloud.client().compute().flavors().list(false);
        cloud.client().networking().network().list();

        assertThat(recorded.sent())
                .containsExactly(
                        "POST /v3/auth/tokens",
                        "GET /v2.1/",
                        "GET /v2.1/flavors",
                        "GET /v2.1/flavors",
                        "GET /v2.0/networks");
        assertThat(recorded.header(1, VERSION)).isNull();
        assertThat(recorded.header(2, VERSION)).isEqualTo("compute 2.67");
        assertThat(recorded.header(3, VERSION)).isEqualTo("compute 2.67");
        assertThat(recorded.header(4, VERSION)).isNull();
    }

    @Test
    void negotiatesMicroversionsOnce() {
        var versions = recorded.cloud().versions(Service.COMPUTE);

        assertThat(versions).isEqualTo(new Versions(new Microversion(2, 1), new Microversion(2, 93)));
        assertThat(versions.takes(new Microversion(2, 90))).isTrue();
        assertThat(versions.upTo(new Microversion(2, 99))).contains(new Microversion(2, 93));
        assertThat(versions.upTo(new Microversion(2, 0))).isEmpty();
    }

    @Test
    void callsTheInterfaceThatIsAsked() {
        recorded.on("POST /v3/auth/tokens", _ -> recorded.answer("token", body -> internalElsewhere(body)));
        recorded.on("GET /inside/v2.1/", "nova-version").on("GET /inside/v2.1/limits", "nova-limits");
        var cloud = recorded.cloud(RecordedCloud.credentials(recorded.url("v3"), Optional.of("RegionOne"), "internal"));

        cloud.rest(Service.COMPUTE).get("/limits");

        assertThat(recorded.sent()).last().isEqualTo("GET /inside/v2.1/limits");
    }

    @Test
    void callsAnEndpointWhoseUrlHasWhatLooksLikeAVersion() {
        recorded.on(
                        "POST /v3/auth/tokens",
                        _ -> recorded.answer("token", body -> networkAt(body, recorded.url("v1/net"))))
                .on("GET /v1/net/v2.0/networks", "neutron-networks");

        assertThat(recorded.cloud().client().networking().network().list()).hasSize(1);
    }

    private static String networkAt(String token, HttpUrl url) {
        var tree = Json.MAPPER.readTree(token);
        for (var service : tree.path("token").path("catalog")) {
            if (service.path("type").asString().equals("network")) {
                service.path("endpoints").forEach(endpoint -> ((ObjectNode) endpoint).put("url", url.toString()));
            }
        }
        return tree.toString();
    }

    private String internalElsewhere(String token) {
        var tree = (ObjectNode) Json.MAPPER.readTree(token);
        tree.path("token")
                .path("catalog")
                .forEach(service -> service.path("endpoints").forEach(endpoint -> {
                    if (endpoint.path("interface").asString().equals("internal")) {
                        ((ObjectNode) endpoint)
                                .put(
                                        "url",
                                        endpoint.path("url")
                                                .asString()
                                                .replace(
                                                        recorded.url("").toString(),
                                                        recorded.url("inside/").toString()));
                    }
                }));
        return tree.toString();
    }

    @Test
    void followsThePagesOfACollection() {
        recorded.on("GET /v2.0/networks", request -> {
            var marker = Objects.requireNonNull(request.getUrl()).queryParameter("marker");
            return marker == null
                    ? recorded.answer("neutron-networks")
                    : new MockResponse.Builder()
                            .body("{\"networks\": [{\"name\": \"second\"}]}")
                            .build();
        });
        var cloud = recorded.cloud();
        var limit = Map.of("limit", "1");

        var raw = cloud.rest(Service.NETWORK).list("/networks", limit, "networks").stream()
                .map(network -> network.path("name").asString())
                .toList();
        var typed = cloud.client().networking().network().list(limit).stream()
                .map(network -> network.getName())
                .toList();

        assertThat(raw).containsExactly("public", "second");
        assertThat(typed).isEqualTo(raw);
        assertThat(recorded.requests.getLast().getUrl().queryParameter("limit")).isEqualTo("1");
    }

    @Test
    void doesNotReadOnePageForEver() {
        recorded.on("GET /v2.0/networks", _ -> recorded.answer("neutron-networks"));
        var cloud = recorded.cloud();

        assertThatThrownBy(() -> cloud.client().networking().network().list())
                .hasMessage("not as the service answers (a page of networks again)");
    }

    @Test
    void anAnswerThatOpenstack4jCannotReadIsARefusal() {
        recorded.on(
                "GET /v2.0/networks/n-1",
                _ -> new MockResponse.Builder().body("<html>proxy</html>").build());
        var cloud = recorded.cloud();

        assertThatThrownBy(() -> cloud.client().networking().network().get("n-1"))
                .isInstanceOf(Refusal.class)
                .hasMessage("not as the service answers (it cannot be read)");
    }

    @Test
    void takesWhatIsNotThereForAbsentButAListForAWrongEndpoint() {
        recorded.on("GET /v2.0/networks/nosuch", "neutron-not-found")
                .on("DELETE /v2.0/networks/nosuch", "neutron-not-found")
                .on("PUT /v2.0/networks/nosuch", "neutron-not-found");
        var cloud = recorded.cloud();

        assertThat(cloud.client().networking().network().get("nosuch")).isNull();
        assertThat(cloud.rest(Service.NETWORK).find("/networks/nosuch")).isEmpty();
        assertThat(Family.NETWORKS.delete(cloud, "nosuch")).isFalse();
        var change = Builders.networkUpdate().name("other").build();
        assertThatThrownBy(() -> cloud.client().networking().network().update("nosuch", change))
                .as("openstack4j would return null, as if it had been changed")
                .isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> cloud.client().networking().network().list()).isInstanceOf(Refusal.class);
    }

    @Test
    void keepsRequestIdsForWhoeverAsksTheOperators() {
        recorded.on("POST /v2.1/servers", "nova-bad-request");
        var cloud = recorded.cloud();
        var heard = new ArrayList<Sent>();
        cloud.requests().listen(heard::add);

        assertThatThrownBy(() -> cloud.rest(Service.COMPUTE).post("/servers", Map.of()))
                .isInstanceOfSatisfying(Refusal.class, refusal -> {
                    var id = RecordedCloud.recording("nova-bad-request")
                            .path("headers")
                            .path("x-openstack-request-id")
                            .asString();
                    assertThat(refusal.requestId()).isEqualTo(id);
                    assertThat(refusal.told())
                            .contains("'flavorRef' is a required property")
                            .contains(id);
                });
        assertThat(cloud.requests().recent()).hasSize(3).isEqualTo(heard);
        assertThat(heard.getLast().status()).isEqualTo(400);
    }

    @Test
    void doesNotRepeatWhatWasSentWhenAServiceQuotesIt() {
        recorded.on("POST /v2.1/servers", "nova-long-user-data").on("POST /v2.1/flavors", "keystone-bad-request");
        var rest = recorded.cloud().rest(Service.COMPUTE);

        assertThatThrownBy(() -> rest.post("/servers", Map.of()))
                .hasMessage("Invalid input for field/attribute user_data. '(what was sent)' is too long");
        assertThatThrownBy(() -> rest.post("/flavors", Map.of()))
                .hasMessage("Invalid input for field 'identity/password/user/name': 3 is not of type 'string'");
    }

    @Test
    void waitsAsLongAsTheCloudAsks() {
        var answers = new ConcurrentLinkedQueue<>(List.of(
                new MockResponse.Builder()
                        .code(429)
                        .setHeader("Retry-After", "7")
                        .build(),
                new MockResponse.Builder().code(503).build(),
                recorded.answer("neutron-networks")));
        recorded.on("GET /v2.0/networks", _ -> answers.remove());

        var networks = recorded.cloud().rest(Service.NETWORK).get("/networks").path("networks");

        assertThat(networks).hasSize(1);
        assertThat(recorded.pauses).hasSize(2);
        assertThat(recorded.pauses.getFirst()).isEqualTo(Duration.ofSeconds(7));
        assertThat(recorded.pauses.getLast()).isBetween(Duration.ofMillis(750), Duration.ofMillis(1000));
    }

    @Test
    void givesUpWhenTheCloudStaysBusy() {
        recorded.on(
                "GET /v2.0/networks",
                _ -> new MockResponse.Builder().code(503).body("busy").build());
        var cloud = recorded.cloud();

        assertThatThrownBy(() -> cloud.rest(Service.NETWORK).get("/networks"))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(503));
        assertThat(recorded.pauses).hasSize(3);
    }

    @Test
    void doesNotRepeatACreateThatAGatewayGaveUp() {
        recorded.on(
                "POST /v2.1/servers", _ -> new MockResponse.Builder().code(504).build());
        var cloud = recorded.cloud();

        assertThatThrownBy(() -> cloud.rest(Service.COMPUTE).post("/servers", Map.of()))
                .isInstanceOf(Refusal.class);
        assertThat(recorded.sent()).filteredOn("POST /v2.1/servers"::equals).hasSize(1);
    }

    @Test
    void readsAgainWhenTheConnectionBreaksButMakesNothingTwice() {
        recorded.on("GET /v2.0/networks", "neutron-networks");
        var tried = new ConcurrentLinkedQueue<String>();
        var client = Connection.client(recorded.credentials())
                .newBuilder()
                .addInterceptor(chain -> {
                    var method = chain.request().method() + " "
                            + chain.request().url().encodedPath();
                    tried.add(method);
                    boolean breaks = method.equals("POST /v2.0/networks")
                            || tried.stream()
                                            .filter("GET /v2.0/networks"::equals)
                                            .count()
                                    == 1;
                    if (breaks && !method.equals("POST /v3/auth/tokens")) {
                        throw new IOException("Connection reset");
                    }
                    return chain.proceed(chain.request());
                })
                .build();
        var rest = recorded.cloud(recorded.credentials(), client).rest(Service.NETWORK);

        assertThat(rest.get("/networks").path("networks")).hasSize(1);
        assertThat(recorded.pauses).hasSize(1);
        assertThatThrownBy(() -> rest.post("/networks", Map.of()))
                .isInstanceOfSatisfying(
                        Failure.class,
                        failure -> assertThat(failure.diagnostics().getFirst().code())
                                .isEqualTo(Code.PROVIDER_UNREACHABLE));
        assertThat(tried).filteredOn("POST /v2.0/networks"::equals).hasSize(1);
    }

    @Test
    void doesNotFollowARedirectWithTheToken() {
        recorded.on(
                "GET /v2.0/networks",
                _ -> new MockResponse.Builder()
                        .code(302)
                        .setHeader("Location", recorded.url("elsewhere"))
                        .build());
        var cloud = recorded.cloud();

        assertThatThrownBy(() -> cloud.rest(Service.NETWORK).get("/networks")).isInstanceOf(Refusal.class);
        assertThat(recorded.sent()).doesNotContain("GET /elsewhere");
    }

    @Test
    void saysWhatTheCloudDoesNotOffer() {
        var cloud = recorded.cloud();

        assertThat(cloud.offers(Service.COMPUTE)).isTrue();
        assertThat(cloud.offers(Service.VOLUME)).isFalse();
        assertThatThrownBy(() -> cloud.client().blockStorage().volumes().list())
                .isInstanceOfSatisfying(
                        Failure.class,
                        failure -> assertThat(failure.diagnostics())
                                .singleElement()
                                .satisfies(
                                        found -> assertThat(found.code()).isEqualTo(Code.OPENSTACK_SERVICE_MISSING)));
    }
}
