package io.deepsite.cli.view;

import io.deepsite.apply.Event;
import java.io.PrintWriter;
import java.time.InstantSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A run for programs: one JSON object per line, with its time. */
public final class JsonEvents implements ProgressView {
    private final PrintWriter out;
    private final InstantSource clock;

    public JsonEvents(PrintWriter out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
    }

    @Override
    public synchronized void accept(Event event) {
        var line = new ObjectNode(JsonNodeFactory.instance);
        line.put("time", clock.instant().toString());
        if (Json.tree(event) instanceof ObjectNode fields) {
            line.setAll(fields);
        }
        out.println(line);
        out.flush();
    }

    @Override
    public void close() {
        out.flush();
    }
}
