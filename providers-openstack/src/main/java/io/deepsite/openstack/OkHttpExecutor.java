package io.deepsite.openstack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;
import org.openstack4j.core.transport.HttpExecutorService;
import org.openstack4j.core.transport.HttpMethod;
import org.openstack4j.core.transport.HttpRequest;
import org.openstack4j.core.transport.HttpResponse;
import org.openstack4j.core.transport.ListType;
import org.openstack4j.core.transport.ObjectMapperSingleton;

/**
 * The HTTP of openstack4j, over OkHttp; found by ServiceLoader. Which connection a request belongs to stands in its
 * configuration. Every answer that is no success ends with a {@link Refusal}, except "not found" of one thing, which
 * openstack4j takes for absent.
 */
public final class OkHttpExecutor implements HttpExecutorService {
    private static final Set<HttpMethod> WITH_BODY = Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);
    /** The connection sets its own, and names itself. */
    private static final Set<String> OURS = Set.of("x-auth-token", "user-agent");

    @Override
    public String getExecutorDisplayName() {
        return "OkHttp of deepsite";
    }

    @Override
    public <R> HttpResponse execute(HttpRequest<R> request) {
        if (!(request.getConfig().getEndpointURLResolver() instanceof Endpoints endpoints)) {
            throw new IllegalArgumentException("a request of no connection: " + request.getPath());
        }
        var builder = new Request.Builder().url(HttpUrl.get(request.getUrl()));
        request.getHeaders().forEach((name, value) -> {
            if (!OURS.contains(name.toLowerCase(Locale.ROOT))) {
                builder.header(name, String.valueOf(value));
            }
        });
        builder.header("Accept", "application/json");
        builder.method(request.getMethod().name(), body(request));
        var answer = endpoints.cloud().send(builder);
        boolean absent = answer.status() == 404 && !isList(request.getReturnType());
        if (!answer.isSuccess() && !absent) {
            throw answer.refusal();
        }
        return new OkHttpReply(answer);
    }

    /** A list that is not there is not an empty one: the endpoint is wrong. */
    private static boolean isList(@Nullable Class<?> type) {
        return type != null && ListType.class.isAssignableFrom(type);
    }

    private static @Nullable RequestBody body(HttpRequest<?> request) {
        var type = MediaType.get(request.getContentType());
        var entity = request.getEntity();
        if (entity instanceof InputStream stream) {
            return new StreamBody(type, stream);
        }
        if (request.hasJson()) {
            return new JsonBody(type, request.getJson().getBytes(StandardCharsets.UTF_8));
        }
        if (entity != null) {
            return new JsonBody(type, json(entity));
        }
        return WITH_BODY.contains(request.getMethod()) ? new JsonBody(type, new byte[0]) : null;
    }

    private static byte[] json(Object entity) {
        try {
            return ObjectMapperSingleton.getContext(entity.getClass()).writeValueAsBytes(entity);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
