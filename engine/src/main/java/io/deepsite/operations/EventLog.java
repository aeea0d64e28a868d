package io.deepsite.operations;

import io.deepsite.apply.Event;
import io.deepsite.diag.Diagnostic;
import io.deepsite.state.AtomicFile;
import java.io.BufferedWriter;
import java.io.IOException;
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
    private final Path file;
    private final Consumer<Diagnostic> notices;
    private final Consumer<Event> next;
    private boolean broken;

    /** @param notices told once when no more can be written: nothing that is done depends on this log */
    EventLog(Path file, InstantSource clock, Consumer<Diagnostic> notices, Consumer<Event> next) {
        this.file = file;
        this.clock = clock;
        this.notices = notices;
        this.next = next;
        try {
            this.writer = Files.newBufferedWriter(file);
        } catch (IOException e) {
            throw AtomicFile.notWritten(file, e);
        }
    }

    @Override
    public synchronized void accept(Event event) {
        var line = (ObjectNode) JSON.valueToTree(event);
        line.put("time", clock.instant().toString());
        if (!broken) {
            try {
                writer.write(JSON.writeValueAsString(line));
                writer.newLine();
                writer.flush();
            } catch (IOException e) {
                tell(e);
            }
        }
        next.accept(event);
    }

    @Override
    public synchronized void close() {
        try {
            writer.close();
        } catch (IOException e) {
            if (!broken) {
                tell(e);
            }
        }
    }

    private void tell(IOException fault) {
        broken = true;
        AtomicFile.notWritten(file, fault)
                .diagnostics()
                .forEach(each -> notices.accept(Diagnostic.warning(
                        each.code(),
                        each.where(),
                        each.why() + " The run goes on without this log.",
                        "",
                        each.commands().toArray(String[]::new))));
    }
}
