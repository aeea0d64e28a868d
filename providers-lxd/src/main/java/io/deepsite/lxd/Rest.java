package io.deepsite.lxd;

import io.deepsite.state.CrashPoint;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Requests to one LXD. Retries, with backoff and jitter, only requests without an effect: a refused connection (LXD
 * restarts), and answers that LXD is busy. Thread-safe.
 */
final class Rest implements AutoCloseable {
    private static final MediaType JSON = MediaType.get("application/json");
    private static final MediaType BYTES = MediaType.get("application/octet-stream");
    /** How much to quote of an answer that is not LXD's. */
    private static final int SHOWN = 200;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private final OkHttpClient client;
    private final HttpUrl base;
    private final String project;
    private final Faults faults;
    private final int attempts;
    private volatile boolean answered;

    /**
     * @param project the LXD project of all requests
     * @param attempts most times that one request is sent, including the first
     */
    Rest(OkHttpClient client, HttpUrl base, String project, Faults faults, int attempts) {
        this.client = client;
        this.base = base;
        this.project = project;
        this.faults = faults;
        this.attempts = attempts;
    }

    /**
     * @param request method and path of the request
     * @param operation path of the operation of an asynchronous answer, else empty
     * @param etag empty if LXD sends none
     */
    record Reply(String request, JsonNode metadata, String operation, String etag) {
        <T> T as(Class<T> type) {
            return read(metadata, type, request);
        }
    }

    record Etagged<T>(T value, String etag) {}

    /** A path below {@code /1.0} in the project; encodes each part, including slashes. */
    HttpUrl.Builder path(String... parts) {
        var url = everywhere(parts);
        return project.equals(DaemonSettings.USUAL_PROJECT) ? url : url.addQueryParameter("project", project);
    }

    /** The same for objects of no project, or of all projects. */
    HttpUrl.Builder everywhere(String... parts) {
        var url = base.newBuilder().addPathSegment("1.0");
        for (var part : parts) {
            url.addPathSegment(part);
        }
        return url;
    }

    <T> T get(HttpUrl.Builder url, Class<T> type) {
        return exchange("GET", url.build(), null, null).as(type);
    }

    /** Every entry of a collection, in full, by one request. */
    <T> List<T> list(HttpUrl.Builder url, Class<T> type) {
        return entries(exchange("GET", url.setQueryParameter("recursion", "1").build(), null, null), type);
    }

    /** Empty when LXD answers 404. */
    <T> Optional<Etagged<T>> find(HttpUrl.Builder url, Class<T> type) {
        try {
            var reply = exchange("GET", url.build(), null, null);
            return Optional.of(new Etagged<>(reply.as(type), reply.etag()));
        } catch (Refusal refusal) {
            if (refusal.isNotFound()) {
                return Optional.empty();
            }
            throw refusal;
        }
    }

    /** The entries of a list; none when LXD answers 404. */
    <T> List<T> findAll(HttpUrl.Builder url, Class<T> type) {
        try {
            return entries(exchange("GET", url.build(), null, null), type);
        } catch (Refusal refusal) {
            if (refusal.isNotFound()) {
                return List.of();
            }
            throw refusal;
        }
    }

    /** LXD writes null for an empty list. */
    private static <T> List<T> entries(Reply reply, Class<T> type) {
        if (reply.metadata().isNull()) {
            return List.of();
        }
        if (!reply.metadata().isArray()) {
            throw unlikeLxd(reply.request(), "no list");
        }
        return reply.metadata()
                .valueStream()
                .map(node -> read(node, type, reply.request()))
                .toList();
    }

    /** The body of an answer that is not JSON, such as a log; empty when LXD answers 404. */
    Optional<String> text(HttpUrl.Builder url) {
        var request = new Request.Builder().url(url.build()).build();
        try (var response = client.newCall(request).execute()) {
            if (response.code() == 404) {
                return Optional.empty();
            }
            if (!response.isSuccessful()) {
                throw refusal(request, response.code(), parse(response));
            }
            return Optional.of(response.body().string());
        } catch (IOException e) {
            throw faults.unreachable(e);
        }
    }

    Reply send(String method, HttpUrl.Builder url, Object body) {
        return exchange(method, url.build(), json(body), null);
    }

    Reply sendIfMatch(String method, HttpUrl.Builder url, Object body, String etag) {
        return exchange(method, url.build(), json(body), etag);
    }

    Reply delete(HttpUrl.Builder url) {
        return exchange("DELETE", url.build(), null, null);
    }

    /** A request with its own headers and body, sent once. */
    Reply post(Request.Builder request, HttpUrl.Builder url, RequestBody body) {
        return exchange(request.url(url.build()).post(body).build());
    }

    static RequestBody bytes(byte[] bytes) {
        return new OneShot(BYTES, bytes);
    }

    OkHttpClient client() {
        return client;
    }

    @Override
    public void close() {
        client.connectionPool().evictAll();
    }

    private static RequestBody json(Object body) {
        return new OneShot(JSON, Json.MAPPER.writeValueAsBytes(body));
    }

    private Reply exchange(String method, HttpUrl url, @Nullable RequestBody body, @Nullable String etag) {
        var request = new Request.Builder().url(url).method(method, body);
        if (etag != null) {
            request.header("If-Match", etag);
        }
        return exchange(request.build());
    }

    private Reply exchange(Request request) {
        if (request.method().equals("GET")) {
            return sent(request);
        }
        CrashPoint.pass("request.before");
        var reply = sent(request);
        CrashPoint.pass("request.after");
        return reply;
    }

    private Reply sent(Request request) {
        var pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            boolean last = attempt >= attempts;
            try (var response = client.newCall(request).execute()) {
                answered = true;
                var tree = parse(response);
                var type = tree.path("type").asString("");
                if (response.isSuccessful() && !type.equals("error")) {
                    if (!type.equals("sync") && !type.equals("async")) {
                        throw unlikeLxd(words(request), "its type is neither sync nor async");
                    }
                    return new Reply(
                            words(request),
                            tree.path("metadata"),
                            tree.path("operation").asString(""),
                            Optional.ofNullable(response.header("ETag")).orElse(""));
                }
                if (last || !isBusy(response, tree)) {
                    throw refusal(request, response.code(), tree);
                }
            } catch (IOException e) {
                if (last || !(restarts(e) || isBrokenQuestion(request, e))) {
                    throw faults.unreachable(e);
                }
            }
            pause = rest(pause);
        }
    }

    private Duration rest(Duration pause) {
        long millis = pause.toMillis();
        try {
            Thread.sleep(millis / 2 + ThreadLocalRandom.current().nextLong(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interrupted();
        }
        return pause.multipliedBy(2);
    }

    /** It answered before, and now the connection is refused: nothing was sent. */
    private boolean restarts(IOException fault) {
        var message = String.valueOf(fault.getMessage());
        return answered && (fault instanceof ConnectException || message.contains("No such file or directory"));
    }

    /** The connection broke (seen twice, with an LXD that ran on): a question may be asked twice, a change may not. */
    private static boolean isBrokenQuestion(Request request, IOException fault) {
        return request.method().equals("GET")
                && (Faults.isCutOff(fault)
                        || (fault instanceof SocketException
                                && String.valueOf(fault.getMessage()).contains("reset")));
    }

    /** LXD starts or stops, or its database is locked: it did nothing, and a retry can succeed. */
    private static boolean isBusy(Response response, JsonNode tree) {
        var error = tree.path("error").asString("");
        boolean repeatable = !response.request().method().equals("POST");
        return response.code() == 503
                || (response.code() == 500
                        && (error.contains("database is locked") || (repeatable && Refusal.isOwnFault(error))));
    }

    private static JsonNode parse(Response response) throws IOException {
        var body = response.body().string();
        try {
            return Json.MAPPER.readTree(body);
        } catch (JacksonException e) {
            var line = body.lines().findFirst().orElse("(empty)");
            throw new IOException(
                    "the answer is not JSON: " + (line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line), e);
        }
    }

    private static Refusal refusal(Request request, int status, JsonNode tree) {
        var error = tree.path("error").asString("");
        return new Refusal(status, words(request), error.isEmpty() ? "no reason given" : error);
    }

    private static String words(Request request) {
        return request.method() + " " + request.url().encodedPath();
    }

    /**
     * @param request method and path of the request
     * @throws Refusal if the answer is not in LXD's format: another server, or an unknown version of LXD
     */
    static <T> T read(JsonNode node, Class<T> type, String request) {
        T value;
        try {
            value = Json.MAPPER.treeToValue(node, type);
        } catch (JacksonException e) {
            var place = e.getPath().stream()
                    .map(step ->
                            step.getPropertyName() == null ? String.valueOf(step.getIndex()) : step.getPropertyName())
                    .collect(Collectors.joining("."));
            throw unlikeLxd(request, place.isEmpty() ? "a value is missing" : place);
        }
        if (value == null) {
            throw unlikeLxd(request, "nothing");
        }
        return value;
    }

    private static Refusal unlikeLxd(String request, String what) {
        return new Refusal(200, request, "not an answer of this API (" + what + ")");
    }

    /** A body that OkHttp must not send a second time on its own: LXD may have acted on the first. */
    private static final class OneShot extends RequestBody {
        private final MediaType type;
        private final byte[] bytes;

        OneShot(MediaType type, byte[] bytes) {
            this.type = type;
            this.bytes = bytes;
        }

        @Override
        public MediaType contentType() {
            return type;
        }

        @Override
        public long contentLength() {
            return bytes.length;
        }

        @Override
        public boolean isOneShot() {
            return true;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            sink.write(bytes);
        }
    }
}
