package io.deepsite.client;

import io.deepsite.diag.Failure;
import io.deepsite.provider.AuthorityFile;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API of a service. Follows no redirect: tokens go nowhere else. Any thread may call. */
public final class ServiceClient implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final MediaType OF_JSON = MediaType.get("application/json");
    private static final RequestBody NOTHING = RequestBody.create(new byte[0], null);
    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** Longer than the service is silent while nothing happens. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private static final int UNAUTHORIZED = 401;

    private final ServiceAddress service;
    private final Credentials credentials;
    private final OkHttpClient client;

    /**
     * @param trust the authority of the service; empty: the public ones
     */
    public ServiceClient(ServiceAddress service, Optional<AuthorityFile.Trust> trust, Credentials credentials) {
        this.service = service;
        this.credentials = credentials;
        var builder = new OkHttpClient.Builder()
                .followRedirects(false)
                .connectTimeout(CONNECT)
                .readTimeout(SILENCE);
        trust.ifPresent(one -> builder.sslSocketFactory(one.sockets(), one.manager()));
        this.client = builder.build();
    }

    public ServiceAddress service() {
        return service;
    }

    /** @param query names and values, in turn */
    public JsonNode get(String path, String... query) {
        var url = url(path).newBuilder();
        for (int i = 0; i < query.length; i += 2) {
            url.addQueryParameter(query[i], query[i + 1]);
        }
        return json(new Request.Builder().url(url.build()));
    }

    public JsonNode post(String path, Object body) {
        return post(path, body, Map.of());
    }

    public JsonNode post(String path, Object body, Map<String, String> headers) {
        var request =
                new Request.Builder().url(url(path)).post(RequestBody.create(JSON.writeValueAsString(body), OF_JSON));
        headers.forEach(request::header);
        return json(request);
    }

    /** Of an operation that takes no body. */
    public JsonNode post(String path) {
        return json(new Request.Builder().url(url(path)).post(NOTHING));
    }

    public JsonNode delete(String path) {
        return json(new Request.Builder().url(url(path)).delete());
    }

    /** As a form of its pages does. */
    public JsonNode submit(String path, Map<String, String> fields) {
        var form = new FormBody.Builder();
        fields.forEach(form::add);
        return json(new Request.Builder()
                .url(url(path))
                .header("Origin", service.toString())
                .post(form.build()));
    }

    private HttpUrl url(String path) {
        return Objects.requireNonNull(HttpUrl.get(service.origin()))
                .newBuilder()
                .encodedPath(path)
                .build();
    }

    private JsonNode json(Request.Builder request) {
        try (var answer = sent(request)) {
            var body = answer.body().string();
            return tree(body).orElseThrow(() -> RemoteFaults.unknown(service, answer.code(), body));
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /** @throws Failure as the service says, SERVICE_ANSWER */
    private Response sent(Request.Builder request) throws IOException {
        var answer = answered(request);
        if (answer.isSuccessful()) {
            return answer;
        }
        try (answer) {
            var body = answer.body().string();
            throw RemoteFaults.of(service, answer.code(), tree(body), body);
        }
    }

    private Response answered(Request.Builder request) throws IOException {
        var token = credentials.token();
        var answer = sent(request, token.orElse(null));
        if (answer.code() == UNAUTHORIZED && token.isPresent()) {
            var next = credentials.after(token.get());
            if (next.isPresent()) {
                answer.close();
                return sent(request, next.get());
            }
        }
        return answer;
    }

    private Response sent(Request.Builder request, @Nullable String token) throws IOException {
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.newCall(request.build()).execute();
    }

    Response stream(String path, long after) throws IOException {
        return sent(new Request.Builder()
                .url(url(path))
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", Long.toString(after)));
    }

    Failure unreachable(IOException e) {
        return RemoteFaults.unreachable(
                service, e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage(), e);
    }

    private static Optional<JsonNode> tree(String body) {
        try {
            return Optional.of(PlainJson.read(body)).filter(JsonNode::isObject);
        } catch (JacksonException _) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
    }
}
