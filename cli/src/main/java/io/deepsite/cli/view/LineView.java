package io.deepsite.cli.view;

import io.deepsite.apply.Event;
import io.deepsite.text.Elapsed;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** A run as plain lines, for logs: the start and end of each step, and its progress now and then. */
public final class LineView implements ProgressView {
    /** The progress of a step is printed at most this often. */
    private static final Duration PAUSE = Duration.ofSeconds(15);

    private final PrintWriter out;
    private final InstantSource clock;
    private final Map<String, String> descriptions = new HashMap<>();
    private final Map<String, Instant> lastShown = new HashMap<>();

    public LineView(PrintWriter out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
    }

    @Override
    public synchronized void accept(Event event) {
        switch (event) {
            case Event.Phase phase ->
                print(phase.name()
                        + (phase.steps() > 0 ? ": " + phase.steps() + (phase.steps() == 1 ? " step" : " steps") : ""));
            case Event.Started started -> {
                descriptions.put(started.step(), started.what());
                lastShown.put(started.step(), clock.instant());
                print("  " + started.subject() + ": " + started.what());
            }
            case Event.Progress progress -> progress(progress);
            case Event.Ended ended -> ended(ended);
            case Event.Check check ->
                print("  " + check.outcome() + "  " + check.cluster() + " " + check.id()
                        + (check.node().isEmpty() ? "" : " on " + check.node())
                        + (check.message().isEmpty() ? "" : ": " + check.message()));
            case Event.AnsibleEnded _ -> {}
            case Event.Notice notice -> print(notice.text());
        }
    }

    @Override
    public void close() {
        out.flush();
    }

    private void progress(Event.Progress progress) {
        var last = lastShown.getOrDefault(progress.step(), Instant.EPOCH);
        if (Duration.between(last, clock.instant()).compareTo(PAUSE) >= 0) {
            lastShown.put(progress.step(), clock.instant());
            print("  " + progress.subject() + ": " + what(progress.step()) + ": " + progress.text());
        }
    }

    private void ended(Event.Ended ended) {
        var words = switch (ended.outcome()) {
            case DONE -> "done in " + Elapsed.words(ended.took());
            case FAILED -> "FAILED after " + Elapsed.words(ended.took());
            case BLOCKED ->
                "not tried" + (ended.message().isEmpty() ? ": a step that it depends on did not succeed" : "");
            case CANCELLED -> "cancelled";
        };
        print("  " + ended.subject() + ": " + what(ended.step()) + ": " + words
                + (ended.message().isEmpty() ? "" : ": " + ended.message()));
        descriptions.remove(ended.step());
        lastShown.remove(ended.step());
    }

    private String what(String step) {
        return descriptions.getOrDefault(step, step);
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }
}
