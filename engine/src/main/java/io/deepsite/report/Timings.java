package io.deepsite.report;

import io.deepsite.apply.Event;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** When each part of a run began, how long it took and how it ended, from its events. */
public final class Timings implements Consumer<Event> {
    private final InstantSource clock;
    private final Instant begun;
    private final Map<String, Part> running = new LinkedHashMap<>();
    private final List<Part> phases = new ArrayList<>();
    private final List<Part> steps = new ArrayList<>();
    private final List<Event.Ended> notBegun = new ArrayList<>();
    private final List<AnsibleRun> processes = new ArrayList<>();

    public Timings(InstantSource clock) {
        this.clock = clock;
        this.begun = clock.instant();
    }

    /**
     * A phase, or a step of a subject.
     *
     * @param step its id in the plan; empty for a phase
     * @param subject host or resource; empty for a phase
     * @param ended how; empty for a phase, and for a step that had not ended when the run was killed
     */
    public record Part(
            String step, String subject, String what, Instant begun, Duration took, Optional<Event.Ended> ended) {
        private Part(String step, String subject, String what, Instant begun) {
            this(step, subject, what, begun, Duration.ZERO, Optional.empty());
        }

        private Part until(Instant end, Optional<Event.Ended> how) {
            return new Part(step, subject, what, begun, Duration.between(begun, end), how);
        }
    }

    /** A process of Ansible. */
    public record AnsibleRun(Event.AnsibleEnded ended, Instant begun) {}

    @Override
    public synchronized void accept(Event event) {
        var now = clock.instant();
        switch (event) {
            case Event.Phase phase -> {
                endPhase(now);
                phases.add(new Part("", "", phase.name(), now));
            }
            case Event.Started started ->
                running.put(started.step(), new Part(started.step(), started.subject(), started.what(), now));
            case Event.Ended ended -> {
                var step = running.remove(ended.step());
                if (step == null) {
                    notBegun.add(ended);
                } else {
                    steps.add(step.until(now, Optional.of(ended)));
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
            phases.add(phases.removeLast().until(now, Optional.empty()));
        }
    }

    public Instant begun() {
        return begun;
    }

    public synchronized List<Part> phases() {
        return List.copyOf(phases);
    }

    /** In the order in which they ended. */
    public synchronized List<Part> steps() {
        return List.copyOf(steps);
    }

    /** Steps that have begun and not ended, until now. */
    synchronized List<Part> unfinished() {
        var now = clock.instant();
        return running.values().stream()
                .map(step -> step.until(now, Optional.empty()))
                .toList();
    }

    /** Steps that ended without a begin: those they need had failed. */
    synchronized List<Event.Ended> notBegun() {
        return List.copyOf(notBegun);
    }

    /** In the order in which they ended. */
    public synchronized List<AnsibleRun> processes() {
        return List.copyOf(processes);
    }
}
