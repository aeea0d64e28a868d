package io.deepsite.cli.view;

import io.deepsite.report.Timings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The timings of a run in the Trace Event Format of Chrome, which Perfetto reads too: a track for each host or resource, one
 * for each process of Ansible, and one for the phases. Times are microseconds from the begin of the run.
 */
public final class ChromeTrace {
    private static final int PHASES = 1;
    private static final int ANSIBLE = 2;
    private static final int SUBJECTS = 3;

    private final Instant begun;
    private final List<Map<String, Object>> events = new ArrayList<>();
    private final Map<String, Integer> tracks = new LinkedHashMap<>();

    private ChromeTrace(Instant begun) {
        this.begun = begun;
    }

    public static String json(Timings timings) {
        var trace = new ChromeTrace(timings.begun());
        trace.name("process_name", PHASES, 0, "phases");
        trace.name("process_name", ANSIBLE, 0, "Ansible");
        trace.name("process_name", SUBJECTS, 0, "hosts and resources");
        timings.phases().forEach(phase -> trace.part(PHASES, 1, phase.what(), phase.begun(), phase.took(), Map.of()));
        timings.processes().forEach(process -> {
            var ended = process.ended();
            var track = trace.track(ANSIBLE, "process " + ended.name());
            trace.part(
                    ANSIBLE,
                    track,
                    String.join(", ", ended.plays()),
                    process.begun(),
                    ended.took(),
                    new TreeMap<>(Map.of(
                            "hosts", ended.hosts(), "tasks", ended.tasks(), "connections", ended.connections())));
        });
        timings.steps().forEach(step -> {
            var track = trace.track(SUBJECTS, step.subject());
            trace.part(SUBJECTS, track, step.what(), step.begun(), step.took(), Map.of());
        });
        var all = new LinkedHashMap<String, Object>();
        all.put("displayTimeUnit", "ms");
        all.put("traceEvents", trace.events);
        return Json.pretty(all);
    }

    private int track(int process, String name) {
        return tracks.computeIfAbsent(process + " " + name, _ -> {
            int track = tracks.size() + 1;
            name("thread_name", process, track, name);
            return track;
        });
    }

    private void name(String what, int process, int track, String name) {
        var event = new LinkedHashMap<String, Object>();
        event.put("ph", "M");
        event.put("name", what);
        event.put("pid", process);
        event.put("tid", track);
        event.put("args", Map.of("name", name));
        events.add(event);
    }

    private void part(int process, int track, String name, Instant from, Duration took, Map<String, Object> details) {
        var event = new LinkedHashMap<String, Object>();
        event.put("ph", "X");
        event.put("name", name);
        event.put("pid", process);
        event.put("tid", track);
        event.put("ts", Duration.between(begun, from).toNanos() / 1000);
        event.put("dur", took.toNanos() / 1000);
        event.put("args", details);
        events.add(event);
    }
}
