package io.deepsite.operations;

import io.deepsite.apply.Event;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.Runs;
import java.time.InstantSource;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Keeps the events of a run, one JSON object per line, and hands them on. Any thread may call. */
final class EventLog implements Consumer<Event>, AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Runs.Lines lines;
    private final InstantSource clock;
    private final Consumer<Diagnostic> notices;
    private final Consumer<Event> next;
    private boolean broken;

    /** @param notices told once when no more can be written: nothing that is done depends on this log */
    EventLog(Runs.Lines lines, InstantSource clock, Consumer<Diagnostic> notices, Consumer<Event> next) {
        this.lines = lines;
        this.clock = clock;
        this.notices = notices;
        this.next = next;
    }

    @Override
    public synchronized void accept(Event event) {
        var line = (ObjectNode) JSON.valueToTree(event);
        line.put("time", clock.instant().toString());
        if (!broken) {
            try {
                lines.add(JSON.writeValueAsString(line));
            } catch (Failure e) {
                tell(e);
            }
        }
        next.accept(event);
    }

    @Override
    public synchronized void close() {
        try {
            lines.close();
        } catch (Failure e) {
            if (!broken) {
                tell(e);
            }
        }
    }

    private void tell(Failure fault) {
        broken = true;
        fault.diagnostics()
                .forEach(each -> notices.accept(Diagnostic.warning(
                        each.code(),
                        each.where(),
                        each.why() + " The run goes on without this log.",
                        "",
                        each.commands().toArray(String[]::new))));
    }
}
