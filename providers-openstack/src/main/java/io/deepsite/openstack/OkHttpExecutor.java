package io.deepsite.openstack;

import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
 * The HTTP of openstack4j, over OkHttp; found by ServiceLoader. A request's configuration says to which {@link Cloud} it
 * belongs, which sets all headers. An answer that is no success is a {@link Refusal}, except "not found" to a GET of one
 * thing, for which openstack4j returns null. A list holds the items of all its pages; one that is not found is a wrong
 * endpoint.
 */
public final class OkHttpExecutor implements HttpExecutorService {
    private static final Set<HttpMethod> WITH_BODY = Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);

    @Override
    public String getExecutorDisplayName() {
        return "OkHttp of deepsite";
    }

    @Override
    public <R> HttpResponse execute(HttpRequest<R> request) {
        if (!(request.getConfig().getEndpointURLResolver() instanceof Endpoints endpoints)) {
            throw new IllegalArgumentException("a request of no connection: " + request.getPath());
        }
        var cloud = endpoints.cloud();
        var asked = HttpUrl.get(request.getUrl());
        var service = Endpoints.service(asked);
        var url = HttpUrl.get(cloud.url(service) + Endpoints.path(asked));
        boolean isGet = request.getMethod() == HttpMethod.GET;
        if (isGet && ListType.class.isAssignableFrom(request.getReturnType())) {
            return new OkHttpReply(new Pages(
                            url,
                            page -> cloud.send(service, new Request.Builder().url(page))
                                    .orRefuse())
                    .joined());
        }
        var answer = cloud.send(
                service,
                new Request.Builder().url(url).method(request.getMethod().name(), body(request)));
        return new OkHttpReply(isGet && answer.status() == 404 ? answer : answer.orRefuse());
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
            return ObjectMapperSingleton.getContext(entity.getClass())
                    .writer()
                    .without(SerializationFeature.INDENT_OUTPUT)
                    .writeValueAsBytes(entity);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
