package io.deepsite.openstack;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openstack4j.core.transport.ExecutionOptions;
import org.openstack4j.core.transport.HttpEntityHandler;
import org.openstack4j.core.transport.HttpResponse;
import org.openstack4j.core.transport.ObjectMapperSingleton;

/** An answer as openstack4j reads it. */
final class OkHttpReply implements HttpResponse {
    private final Answer answer;

    OkHttpReply(Answer answer) {
        this.answer = answer;
    }

    @Override
    public <T> T getEntity(Class<T> returnType) {
        return HttpEntityHandler.handle(this, returnType, null);
    }

    @Override
    public <T> T getEntity(Class<T> returnType, @Nullable ExecutionOptions<T> options) {
        return HttpEntityHandler.handle(this, returnType, options);
    }

    @Override
    public <T> T readEntity(Class<T> type) {
        try {
            var entity = ObjectMapperSingleton.getContext(type).readValue(answer.body(), type);
            if (entity != null) {
                return entity;
            }
        } catch (IOException _) {
            // Its message may show parts of the answer, which may hold a secret.
        }
        throw answer.unlike("the service", "it cannot be read");
    }

    @Override
    public int getStatus() {
        return answer.status();
    }

    @Override
    public String getContentType() {
        return answer.header("Content-Type");
    }

    @Override
    public String getStatusMessage() {
        return answer.reason();
    }

    @Override
    public InputStream getInputStream() {
        return new ByteArrayInputStream(answer.body());
    }

    @Override
    public @Nullable String header(String name) {
        return answer.headers().get(name);
    }

    @Override
    public Map<String, String> headers() {
        var headers = new HashMap<String, String>();
        answer.headers().forEach(pair -> headers.put(pair.getFirst(), pair.getSecond()));
        return headers;
    }

    @Override
    public void close() {
        // The answer was read whole.
    }
}
