package io.deepsite.openstack;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** The answer of a service. Headers and body may hold a token: no message shows them. */
final class Answer {
    private static final int SHOWN = 400;

    private final int status;
    private final String reason;
    private final Headers headers;
    private final byte[] body;
    private final String request;

    /** @param request method and URL without the query */
    Answer(int status, String reason, Headers headers, byte[] body, String request) {
        this.status = status;
        this.reason = reason;
        this.headers = headers;
        this.body = body;
        this.request = request;
    }

    static String describe(Request request) {
        return request.method() + " " + plain(request.url());
    }

    static String plain(HttpUrl url) {
        return url.newBuilder()
                .query(null)
                .fragment(null)
                .username("")
                .password("")
                .build()
                .toString();
    }

    int status() {
        return status;
    }

    String reason() {
        return reason;
    }

    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** Empty when the answer does not have it. */
    String header(String name) {
        return Optional.ofNullable(headers.get(name)).orElse("");
    }

    Headers headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    String requestId() {
        var id = header("x-openstack-request-id");
        return id.isEmpty() ? header("x-compute-request-id") : id;
    }

    /** A missing node when the body is empty or no JSON. */
    JsonNode json() {
        if (body.length == 0) {
            return MissingNode.getInstance();
        }
        try {
            return Json.MAPPER.readTree(body);
        } catch (JacksonException _) {
            return MissingNode.getInstance();
        }
    }

    /** @throws Refusal when it is no success */
    Answer orRefuse() {
        if (isSuccess()) {
            return this;
        }
        throw refusal();
    }

    /** The same with another body. */
    Answer with(JsonNode json) {
        return new Answer(status, reason, headers, Json.MAPPER.writeValueAsBytes(json), request);
    }

    /** For an answer that is no success. */
    Refusal refusal() {
        return new Refusal(status, request, requestId(), error());
    }

    /**
     * For a success that no service of OpenStack would send: another server answers in its place.
     *
     * @param who in words, such as {@code Keystone}
     */
    Refusal unlike(String who, String what) {
        return new Refusal(status, request, requestId(), "not as " + who + " answers (" + what + ")");
    }

    /** The service's error text on one line; each service has its own form. */
    private String error() {
        var message = message(json());
        var text = message == null ? withoutTags() : message;
        var line = withoutWhatWasSent(text.replaceAll("<[^<>]{1,40}>", " ").replaceAll("[\\s\\p{Cntrl}]+", " "))
                .strip();
        if (line.isEmpty()) {
            return reason.isEmpty() ? "no reason given" : reason;
        }
        return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
    }

    /**
     * Nova and Keystone quote what they refuse in full: the user data of a server holds its host key, a login its
     * password.
     */
    private static String withoutWhatWasSent(String line) {
        return line.replaceFirst("Failed validating .*", "")
                .replaceFirst("Value: .*\\. (?=.)", "")
                .replaceAll("[A-Za-z0-9+/=_-]{64,}", "(what was sent)");
    }

    private String withoutTags() {
        return header("Content-Type").startsWith("application/json")
                ? ""
                : new String(body, StandardCharsets.UTF_8).replaceAll("(?s)<(title|head|style).*?</\\1>|<[^>]*>", " ");
    }

    private static @Nullable String message(JsonNode node) {
        for (var key : new String[] {"message", "detail", "faultstring", "NeutronError"}) {
            if (node.path(key).isString() && !node.path(key).stringValue().isBlank()) {
                return node.path(key).stringValue();
            }
        }
        for (var child : node) {
            var inner = child.isContainer() ? message(child) : null;
            if (inner != null) {
                return inner;
            }
        }
        return null;
    }
}
