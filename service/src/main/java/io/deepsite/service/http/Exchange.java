package io.deepsite.service.http;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;
import org.jspecify.annotations.Nullable;

/** One request and the answer to it. */
public final class Exchange {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final Request request;
    private final Response response;
    private final Map<String, String> parameters;
    private final Map<Class<?>, Object> attributes = new HashMap<>();
    private @Nullable String body;
    private @Nullable Map<String, String> form;

    Exchange(Request request, Response response, Map<String, String> parameters) {
        this.request = request;
        this.response = response;
        this.parameters = Map.copyOf(parameters);
    }

    public String method() {
        return request.getMethod();
    }

    /** As it was sent, without the query. */
    public String path() {
        return Request.getPathInContext(request);
    }

    /** A part of the path that the route names. */
    public String parameter(String name) {
        var value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the route has no parameter " + name);
        }
        return value;
    }

    /** The first value. */
    public Optional<String> query(String name) {
        return Optional.ofNullable(queries().getValue(name));
    }

    private Fields queries() {
        try {
            return Request.extractQueryParameters(request);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.REQUEST, "The query of the address is not encoded as URLs are.", "Encode it."),
                    e);
        }
    }

    public Optional<String> sent(String header) {
        return Optional.ofNullable(request.getHeaders().get(header));
    }

    public Optional<String> cookie(String name) {
        return Request.getCookies(request).stream()
                .filter(cookie -> cookie.getName().equals(name))
                .map(HttpCookie::getValue)
                .findFirst();
    }

    /** The address that the request came from: of the client, or of the proxy before this service. */
    public String from() {
        return Request.getRemoteAddr(request);
    }

    /** Whether the client reads pages, so it is a person's browser. */
    public boolean wantsPage() {
        return sent("Accept").orElse("").contains("text/html");
    }

    /**
     * The same text at each call: what guards the endpoints reads forms, too.
     *
     * @throws Failure REQUEST if it is not UTF-8
     * @throws IOException the client breaks off, or is too slow
     */
    public String body() throws IOException {
        if (body == null) {
            body = readBody();
        }
        return body;
    }

    private String readBody() throws IOException {
        try (var in = Content.Source.asInputStream(request)) {
            return Utf8.text(in, "The body of the request");
        }
    }

    /** Whether a form of a page sent it, with files or without. */
    public boolean isForm() {
        var type = sent("Content-Type").orElse("");
        return type.startsWith(FORM) || type.startsWith(MultipartForm.TYPE);
    }

    /**
     * The fields of a form that a page sent; the last of equal names counts. That of a file holds its text, and is not
     * there if none was chosen. The same at each call.
     *
     * @throws Failure REQUEST
     */
    public Map<String, String> form() throws IOException {
        if (form == null) {
            form = Map.copyOf(readForm());
        }
        return form;
    }

    private Map<String, String> readForm() throws IOException {
        if (!isForm()) {
            throw new Failure(Diagnostic.error(
                    Code.REQUEST, "The body is no form: its Content-Type is not that of one.", "Send a form."));
        }
        if (!sent("Content-Type").orElse("").startsWith(FORM)) {
            try {
                return MultipartForm.read(request);
            } catch (Failure e) {
                // Jetty ends the connection of what it could not read.
                header("Connection", "close");
                throw e;
            }
        }
        var fields = new Fields();
        var text = body();
        UrlEncoded.decodeUtf8To(text, 0, text.length(), fields::put);
        var values = new HashMap<String, String>();
        fields.forEach(field -> values.put(field.getName(), field.getValue()));
        return values;
    }

    /** Random; the client has it, too (X-Request-Id). */
    String id() {
        return String.valueOf(request.getAttribute(RequestNotes.ID));
    }

    /** For the access log. */
    public void comesFrom(String person) {
        request.setAttribute(RequestNotes.PERSON, person);
    }

    /** Keeps something for this exchange, of which there is one of its class. */
    public <T> void keep(Class<T> type, T value) {
        attributes.put(type, value);
    }

    public <T> Optional<T> kept(Class<T> type) {
        return Optional.ofNullable(type.cast(attributes.get(type)));
    }

    public Exchange header(String name, String value) {
        response.getHeaders().put(name, value);
        return this;
    }

    /** Whether the answer has no such header yet. */
    public boolean isUnsaid(String name) {
        return !response.getHeaders().contains(name);
    }

    public Exchange addCookie(HttpCookie cookie) {
        Response.addCookie(response, cookie);
        return this;
    }

    public void send(int status, String type, byte[] content) throws IOException {
        tellOfTheEnd();
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
        try (var out = Content.Sink.asOutputStream(response)) {
            out.write(content);
        }
    }

    public void send(int status, String type, String content) throws IOException {
        send(status, type, content.getBytes(StandardCharsets.UTF_8));
    }

    /** An answer without a body. */
    public void send(int status) throws IOException {
        tellOfTheEnd();
        response.setStatus(status);
        Content.Sink.asOutputStream(response).close();
    }

    /**
     * A connection ends with a request whose body nobody read, because the request was refused before. A client that
     * was not told would send its next request on it.
     */
    private void tellOfTheEnd() {
        if (!request.consumeAvailable()) {
            header("Connection", "close");
        }
    }

    /** @param place a path of this service, or a whole address that its own settings give */
    public void redirect(String place) throws IOException {
        header("Location", place).send(303);
    }

    /** An answer that goes on: what is written is sent with each flush. */
    public OutputStream stream(String type) {
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        // nginx collects answers by default.
        response.getHeaders().put("X-Accel-Buffering", "no");
        return Content.Sink.asOutputStream(response);
    }
}
