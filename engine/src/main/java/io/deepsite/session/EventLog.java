package io.deepsite.session;

import io.deepsite.apply.Event;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Keeps the events of a run, one JSON object per line, and hands them on. Any thread may call. */
final class EventLog implements Consumer<Event>, AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final BufferedWriter writer;
    private final InstantSource clock;
    private final Consumer<Event> next;

    EventLog(Path file, InstantSource clock, Consumer<Event> next) {
        this.clock = clock;
        this.next = next;
        try {
            this.writer = Files.newBufferedWriter(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void accept(Event event) {
        var line = (ObjectNode) JSON.valueToTree(event);
        line.put("time", clock.instant().toString());
        try {
            writer.write(JSON.writeValueAsString(line));
            writer.newLine();
            writer.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        next.accept(event);
    }

    @Override
    public synchronized void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
