package io.deepsite.cli.view;

import io.deepsite.apply.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The progress of a run, built from its events: one row per host or resource. Guarded by itself. */
final class RunProgress {
    private final Map<String, Integer> planned;
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final List<Stretch> stretches = new ArrayList<>();

    /** @param planned steps per subject, where known before the run */
    RunProgress(Map<String, Integer> planned) {
        this.planned = planned;
        planned.forEach((subject, steps) -> rows.put(subject, new Row(subject, steps)));
    }

    static final class Stretch {
        final String name;
        final int steps;
        final Instant begun;
        int ended;
        int checks;
        int failed;
        int busy;
        Optional<Instant> over = Optional.empty();

        Stretch(String name, int steps, Instant begun) {
            this.name = name;
            this.steps = steps;
            this.begun = begun;
        }
    }

    enum Mood {
        WAITING,
        RUNNING,
        DONE,
        FAILED,
        BLOCKED
    }

    static final class Row {
        final String subject;
        final Map<String, RunningStep> running = new LinkedHashMap<>();
        int steps;
        int done;
        boolean failed;
        boolean blocked;
        String lastWords = "";

        Row(String subject, int steps) {
            this.subject = subject;
            this.steps = steps;
        }

        Mood mood() {
            if (failed) {
                return Mood.FAILED;
            }
            if (!running.isEmpty()) {
                return Mood.RUNNING;
            }
            if (blocked) {
                return Mood.BLOCKED;
            }
            return done > 0 && done >= steps ? Mood.DONE : Mood.WAITING;
        }

        /** The running step; if there are several, the last started. */
        Optional<RunningStep> work() {
            return running.values().stream().reduce((_, last) -> last);
        }
    }

    /** A running step. */
    record RunningStep(String what, String text, Instant since) {
        String words() {
            return text.isEmpty() ? what : what + ": " + text;
        }
    }

    void take(Event event, Instant now) {
        switch (event) {
            case Event.Phase phase -> {
                endStretch(now);
                stretches.add(new Stretch(phase.name(), phase.steps(), now));
            }
            case Event.Started started ->
                row(started.subject()).running.put(started.step(), new RunningStep(started.what(), "", now));
            case Event.Progress progress ->
                row(progress.subject())
                        .running
                        .computeIfPresent(
                                progress.step(),
                                (_, work) -> new RunningStep(work.what(), progress.text(), work.since()));
            case Event.Ended ended -> ended(ended);
            case Event.Check check -> check(check);
            case Event.AnsibleEnded _, Event.Notice _ -> {}
        }
    }

    void endStretch(Instant now) {
        if (!stretches.isEmpty()) {
            var last = stretches.getLast();
            last.over = last.over.or(() -> Optional.of(now));
        }
    }

    List<Stretch> stretches() {
        return List.copyOf(stretches);
    }

    List<Row> rows() {
        return List.copyOf(rows.values());
    }

    private void ended(Event.Ended ended) {
        var row = row(ended.subject());
        boolean begun = row.running.remove(ended.step()) != null;
        switch (ended.outcome()) {
            case DONE -> row.done++;
            case FAILED -> {
                row.failed = true;
                row.lastWords = ended.message();
            }
            case BLOCKED, CANCELLED -> row.blocked = true;
        }
        if (!planned.containsKey(row.subject)) {
            row.steps = Math.max(row.steps, row.done);
        }
        // Steps of a later phase end as blocked before that phase begins.
        if (!stretches.isEmpty() && (begun || ended.outcome() == Event.StepOutcome.FAILED)) {
            stretches.getLast().ended++;
            stretches.getLast().failed += ended.outcome() == Event.StepOutcome.FAILED ? 1 : 0;
        }
    }

    private void check(Event.Check check) {
        if (stretches.isEmpty()) {
            return;
        }
        var stretch = stretches.getLast();
        stretch.checks++;
        stretch.failed += check.outcome().equals("failed") ? 1 : 0;
        stretch.busy += check.outcome().equals("busy") ? 1 : 0;
    }

    private Row row(String subject) {
        return rows.computeIfAbsent(subject, name -> new Row(name, 0));
    }
}
