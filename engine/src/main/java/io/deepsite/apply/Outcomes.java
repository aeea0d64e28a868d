package io.deepsite.apply;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.plan.Barriers;
import io.deepsite.plan.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Records how each step of a run ended, and publishes events. */
final class Outcomes {
    private final Map<String, Event.StepOutcome> ended = new ConcurrentHashMap<>();
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    private final List<Diagnostic> diagnostics = new ArrayList<>();
    private final Set<String> ofThisRun;
    private final Barriers barriers;
    private final Consumer<Event> events;
    private final Map<String, Boolean> passed = new ConcurrentHashMap<>();

    /** @param ofThisRun ids of this run's steps; others count as done */
    Outcomes(Set<String> ofThisRun, Barriers barriers, Consumer<Event> events) {
        this.ofThisRun = Set.copyOf(ofThisRun);
        this.barriers = barriers;
        this.events = events;
    }

    /** Whether every step that it needs is done, or not part of this run; asked once they have ended. */
    boolean canRun(Step step) {
        return step.needs().stream().allMatch(need -> passed.computeIfAbsent(need, this::isPassed));
    }

    /** Whether a step that it needs has ended otherwise than done, whatever has not ended yet. */
    boolean isLost(Step step) {
        return !lost.isEmpty() && step.needs().stream().anyMatch(this::hasLost);
    }

    private boolean hasLost(String need) {
        return barriers.stepsOf(need).anyMatch(lost::contains);
    }

    private boolean isPassed(String need) {
        return barriers.stepsOf(need)
                .filter(ofThisRun::contains)
                .allMatch(id -> ended.get(id) == Event.StepOutcome.DONE);
    }

    boolean isDone(Step step) {
        return ended.get(step.id()) == Event.StepOutcome.DONE;
    }

    boolean hasEnded(Step step) {
        return ended.containsKey(step.id());
    }

    void end(Step step, String subject, Event.StepOutcome outcome, String message, Duration took) {
        ended.put(step.id(), outcome);
        if (outcome != Event.StepOutcome.DONE) {
            lost.add(step.id());
        }
        events.accept(new Event.Ended(step.id(), subject, outcome, message, took));
    }

    /** A call that ended at the user's request is cancelled, not failed: there is nothing to fix. */
    void fail(Step step, String subject, List<Diagnostic> why, Duration took) {
        if (!why.isEmpty() && why.stream().allMatch(one -> one.code() == Code.CANCELLED)) {
            end(step, subject, Event.StepOutcome.CANCELLED, "", took);
            return;
        }
        synchronized (diagnostics) {
            diagnostics.addAll(why);
        }
        end(
                step,
                subject,
                Event.StepOutcome.FAILED,
                why.isEmpty() ? "" : why.getFirst().why(),
                took);
    }

    /** Records a fault that stops the whole run and belongs to no single step. */
    void failAll(List<Diagnostic> why) {
        synchronized (diagnostics) {
            diagnostics.addAll(why);
        }
    }

    /** In the order in which they occurred. */
    List<Diagnostic> diagnostics() {
        synchronized (diagnostics) {
            return List.copyOf(diagnostics);
        }
    }

    boolean allDone() {
        return diagnostics().stream().noneMatch(Diagnostic::isError)
                && ended.values().stream().allMatch(outcome -> outcome == Event.StepOutcome.DONE);
    }

    long count(Event.StepOutcome outcome) {
        return ended.values().stream().filter(one -> one == outcome).count();
    }
}
