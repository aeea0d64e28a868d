package io.deepsite.openstack;

import io.deepsite.site.Cidr;
import io.deepsite.state.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import tools.jackson.databind.JsonNode;

/**
 * Sends the answers that the tenant {@code deepsite} of the project {@code lab} got from testbed/openstack (OpenStack Zed). All
 * services listen on one address. Tokens are invented, and numbered. As an extension it runs for one test.
 */
final class RecordedCloud implements AutoCloseable, BeforeEachCallback, AfterEachCallback {
    /** Before the recorded tokens expire, at 19:35:30. */
    static final Instant NOW = Instant.parse("2026-11-21T16:00:00Z");

    static final String PASSWORD = "not-the-password-of-anybody";

    final MockWebServer server = new MockWebServer();
    final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();
    final List<Duration> pauses = new CopyOnWriteArrayList<>();
    final AtomicInteger tokens = new AtomicInteger();
    final TestClock clock = new TestClock();
    private final Map<String, Function<RecordedRequest, MockResponse>> answers = new ConcurrentHashMap<>();

    /** A clock that tests set. */
    static final class TestClock extends Clock {
        volatile Instant now = NOW;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    RecordedCloud() {
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                requests.add(request);
                var path = Objects.requireNonNull(request.getUrl()).encodedPath();
                var answer = answers.get(request.getMethod() + " " + path);
                return answer == null ? new MockResponse.Builder().code(404).build() : answer.apply(request);
            }
        });
        on("POST /v3/auth/tokens", "token");
        on("GET /", "keystone-versions");
        on("GET /v2.1/", "nova-version");
        on("GET /v2.1/limits", "nova-limits");
        on("GET /v2.0/quotas/15dd20f7078e4752b1caea5a178f9c9f/details.json", "neutron-quota");
    }

    RecordedCloud start() {
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    RecordedCloud on(String request, String recorded) {
        return on(request, _ -> answer(recorded, RecordedCloud::onlyPage));
    }

    /** Without the link to the next page: what was recorded is all there is. */
    private static String onlyPage(String body) {
        return body.replaceAll(",\\s*\"(\\w+_links\"\\s*:\\s*\\[[^]]*]|next\"\\s*:\\s*\"[^\"]*\")", "");
    }

    RecordedCloud on(String request, Function<RecordedRequest, MockResponse> answer) {
        answers.put(request, answer);
        return this;
    }

    /** As it was recorded, with this server in the place of the cloud's. */
    MockResponse answer(String recorded) {
        return answer(recorded, Function.identity());
    }

    MockResponse answer(String recorded, Function<String, String> change) {
        var reply = recording(recorded);
        var body = reply.path("body").isString()
                ? reply.path("body").stringValue()
                : reply.path("body").toString();
        var response = new MockResponse.Builder()
                .code(reply.path("status").asInt())
                .body(change.apply(body.replaceAll(
                        "http://127\\.0\\.0\\.1:[0-9]+", url("").toString().replaceAll("/$", ""))));
        reply.path("headers").forEachEntry((name, value) -> response.setHeader(name, value.asString()));
        if (recorded.startsWith("token") && reply.path("status").asInt() == 201) {
            response.setHeader("X-Subject-Token", "token-" + tokens.incrementAndGet());
        }
        return response.build();
    }

    static JsonNode recording(String name) {
        try (var in = RecordedCloud.class.getResourceAsStream("/recorded/" + name + ".json")) {
            return Json.MAPPER.readTree(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HttpUrl url(String path) {
        return server.url("/" + path);
    }

    Credentials credentials() {
        return credentials(url("v3"), Optional.of("RegionOne"), "public");
    }

    static Credentials credentials(HttpUrl authUrl, Optional<String> region, String facing) {
        var domain = Optional.of(new Credentials.Domain(Optional.of("default"), Optional.empty()));
        return new Credentials(
                "cloud lab of clouds.yaml",
                authUrl,
                new Credentials.Password(
                        new Credentials.Named(Optional.empty(), Optional.of("deepsite"), domain), Secret.of(PASSWORD)),
                Optional.of(new Credentials.Scope(new Credentials.Named(Optional.empty(), Optional.of("lab"), domain))),
                region,
                facing,
                Optional.empty(),
                Optional.empty());
    }

    Cloud cloud() {
        return cloud(credentials());
    }

    /** It does not sleep, but adds each pause to {@link #pauses}. */
    Cloud cloud(Credentials credentials) {
        return cloud(credentials, Connection.client(credentials));
    }

    Cloud cloud(Credentials credentials, OkHttpClient client) {
        var backoff = new Backoff(4, Duration.ofMillis(500), Duration.ofSeconds(60), RandomGenerator.getDefault());
        var http = new Http(client, backoff, pauses::add, clock, new Requests());
        return new Cloud(credentials, http, clock);
    }

    List<String> sent() {
        return requests.stream()
                .map(request -> request.getMethod() + " "
                        + Objects.requireNonNull(request.getUrl()).encodedPath())
                .toList();
    }

    /** The bodies of the POST requests whose path ends so. */
    List<String> posted(String path) {
        return requests.stream()
                .filter(request -> Objects.equals(request.getMethod(), "POST"))
                .filter(request ->
                        Objects.requireNonNull(request.getUrl()).encodedPath().endsWith(path))
                .map(request -> Objects.requireNonNull(request.getBody()).utf8())
                .toList();
    }

    @Nullable
    String header(int request, String name) {
        return requests.get(request).getHeaders().get(name);
    }

    static OpenStackSettings settings(Optional<String> cloud) {
        return new OpenStackSettings(
                cloud,
                Optional.empty(),
                Optional.empty(),
                new OpenStackNetwork(
                        Optional.empty(),
                        Cidr.parse("10.64.0.0/24"),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of()),
                Map.of(),
                Map.of(),
                Optional.empty(),
                false,
                2,
                Map.of());
    }

    @Override
    public void close() {
        server.close();
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        start();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        close();
    }
}
