package io.deepsite.apply;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.plan.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** How each step of a run ended, and who is told. */
final class Outcomes {
    private final Map<String, Event.StepOutcome> ended = new ConcurrentHashMap<>();
    private final List<Diagnostic> diagnostics = new ArrayList<>();
    private final Set<String> ofThisRun;
    private final Consumer<Event> events;

    /** @param ofThisRun ids of the steps that this run is about; others count as done */
    Outcomes(Set<String> ofThisRun, Consumer<Event> events) {
        this.ofThisRun = Set.copyOf(ofThisRun);
        this.events = events;
    }

    /** Every step that it needs is done, or is not of this run. */
    boolean canRun(Step step) {
        return step.needs().stream()
                .filter(ofThisRun::contains)
                .allMatch(need -> ended.get(need) == Event.StepOutcome.DONE);
    }

    boolean isDone(Step step) {
        return ended.get(step.id()) == Event.StepOutcome.DONE;
    }

    boolean hasEnded(Step step) {
        return ended.containsKey(step.id());
    }

    void end(Step step, String subject, Event.StepOutcome outcome, String message, Duration took) {
        ended.put(step.id(), outcome);
        events.accept(new Event.Ended(step.id(), subject, outcome, message, took));
    }

    /** A call that ended because the user asked for it is cancelled, not failed: nothing is to be mended. */
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

    /** What keeps the whole run from going on, and is no one step's fault. */
    void failAll(List<Diagnostic> why) {
        synchronized (diagnostics) {
            diagnostics.addAll(why);
        }
    }

    /** In the order in which they came up. */
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
