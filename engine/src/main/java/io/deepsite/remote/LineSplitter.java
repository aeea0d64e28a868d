package io.deepsite.remote;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Passes on each line of a stream as soon as it is complete; on close also a last one without line break. */
final class LineSplitter extends OutputStream {
    /** Longer lines are split, so that a stream without line breaks cannot fill the memory. */
    private static final int LONGEST = 64 * 1024;

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Consumer<String> consumer;

    LineSplitter(Consumer<String> consumer) {
        this.consumer = consumer;
    }

    @Override
    public void write(int b) {
        if (b == '\n' || line.size() == LONGEST) {
            tell();
        }
        if (b != '\n') {
            line.write(b);
        }
    }

    @Override
    public void close() {
        if (line.size() > 0) {
            tell();
        }
    }

    private void tell() {
        consumer.accept(line.toString(StandardCharsets.UTF_8));
        line.reset();
    }
}
