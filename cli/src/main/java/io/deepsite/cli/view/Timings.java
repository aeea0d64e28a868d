package io.deepsite.cli.view;

import io.deepsite.apply.Event;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** When each part of a run began and how long it took, from its events. */
public final class Timings implements Consumer<Event> {
    private final InstantSource clock;
    private final Instant begun;
    private final Map<String, Part> running = new HashMap<>();
    private final List<Part> phases = new ArrayList<>();
    private final List<Part> steps = new ArrayList<>();
    private final List<AnsibleRun> processes = new ArrayList<>();

    public Timings(InstantSource clock) {
        this.clock = clock;
        this.begun = clock.instant();
    }

    /**
     * A phase, or a step of a subject.
     *
     * @param subject host or resource; empty for a phase
     */
    record Part(String subject, String what, Instant begun, Duration took) {
        private Part(String subject, String what, Instant begun) {
            this(subject, what, begun, Duration.ZERO);
        }

        private Part until(Instant end) {
            return new Part(subject, what, begun, Duration.between(begun, end));
        }
    }

    /** A process of Ansible. */
    record AnsibleRun(Event.AnsibleEnded ended, Instant begun) {}

    @Override
    public synchronized void accept(Event event) {
        var now = clock.instant();
        switch (event) {
            case Event.Phase phase -> {
                endPhase(now);
                phases.add(new Part("", phase.name(), now));
            }
            case Event.Started started -> running.put(started.step(), new Part(started.subject(), started.what(), now));
            case Event.Ended ended -> {
                var step = running.remove(ended.step());
                // One that was never begun took no time.
                if (step != null) {
                    steps.add(step.until(now));
                }
            }
            case Event.AnsibleEnded ended -> processes.add(new AnsibleRun(ended, now.minus(ended.took())));
            case Event.Progress _, Event.Check _, Event.Notice _ -> {}
        }
    }

    /** The run has ended. */
    public synchronized void over() {
        endPhase(clock.instant());
    }

    private void endPhase(Instant now) {
        if (!phases.isEmpty()) {
            phases.add(phases.removeLast().until(now));
        }
    }

    Instant begun() {
        return begun;
    }

    synchronized List<Part> phases() {
        return List.copyOf(phases);
    }

    /** In the order in which they ended. */
    synchronized List<Part> steps() {
        return List.copyOf(steps);
    }

    /** In the order in which they ended. */
    synchronized List<AnsibleRun> processes() {
        return List.copyOf(processes);
    }
}
