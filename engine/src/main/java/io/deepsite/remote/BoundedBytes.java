package io.deepsite.remote;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Keeps the first bytes and drops the rest. Bytes that are not UTF-8 become U+FFFD. */
public final class BoundedBytes extends OutputStream {
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final int max;
    private boolean cut;

    public BoundedBytes(int max) {
        this.max = max;
    }

    @Override
    public synchronized void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        int room = Math.min(length, max - kept.size());
        kept.write(bytes, offset, room);
        cut |= room < length;
    }

    public synchronized boolean cut() {
        return cut;
    }

    public synchronized String text() {
        return kept.toString(StandardCharsets.UTF_8);
    }
}
