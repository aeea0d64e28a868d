package io.deepsite.report;

import io.deepsite.apply.Event;
import io.deepsite.state.Runs;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A past run, from its log of events.
 *
 * @param timings of its steps; they are over
 * @param end time of its last event
 */
record RunLog(String id, Timings timings, Instant end) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** Most lines of a log, and not needed here. */
    private static final String PROGRESS = "{\"event\":\"progress\"";

    private record Timed(Instant time, Event event) {}

    /** Empty for a run that wrote no event. */
    static Optional<RunLog> read(Runs runs, Runs.Run run) {
        var events = runs.eventsOf(run).stream()
                .filter(line -> !line.startsWith(PROGRESS))
                .flatMap(line -> event(line).stream())
                .toList();
        return events.isEmpty() ? Optional.empty() : Optional.of(of(run.id(), events));
    }

    private static RunLog of(String id, List<Timed> events) {
        var now = new AtomicReference<>(events.getFirst().time());
        var timings = new Timings(now::get);
        events.forEach(one -> {
            now.set(one.time());
            timings.accept(one.event());
        });
        timings.over();
        return new RunLog(id, timings, now.get());
    }

    /** Empty for half a line, as a killed run leaves it, and for an event of another version. */
    private static Optional<Timed> event(String line) {
        try {
            if (!(JSON.readTree(line) instanceof ObjectNode fields)) {
                return Optional.empty();
            }
            var time = Instant.parse(fields.path("time").asString());
            fields.remove("time");
            return Optional.of(new Timed(time, JSON.treeToValue(fields, Event.class)));
        } catch (JacksonException | DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
