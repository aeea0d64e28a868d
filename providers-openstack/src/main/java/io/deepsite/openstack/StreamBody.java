package io.deepsite.openstack;

import java.io.IOException;
import java.io.InputStream;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;
import okio.Okio;

/** A body that is read as it is sent, such as an image of gigabytes; it cannot be sent twice. */
final class StreamBody extends RequestBody {
    private final MediaType type;
    private final InputStream stream;

    StreamBody(MediaType type, InputStream stream) {
        this.type = type;
        this.stream = stream;
    }

    @Override
    public MediaType contentType() {
        return type;
    }

    @Override
    public boolean isOneShot() {
        return true;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
        try (var source = Okio.source(stream)) {
            sink.writeAll(source);
        }
    }
}
