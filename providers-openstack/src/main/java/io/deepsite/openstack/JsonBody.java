package io.deepsite.openstack;

import java.io.IOException;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;

/** A small body that OkHttp must not send a second time on its own: the service may have acted on the first. */
final class JsonBody extends RequestBody {
    static final MediaType JSON = MediaType.get("application/json");

    private final MediaType type;
    private final byte[] bytes;

    JsonBody(MediaType type, byte[] bytes) {
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
