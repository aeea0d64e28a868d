package io.deepsite.remote;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Does the same to many things at once, on virtual threads, at most {@code limit} at a time, and keeps what became of each:
 * one fault does not hide the others.
 *
 * @param stopAtFirstFault what has not begun is then skipped, what is under way is interrupted
 */
public record Fanout(int limit, boolean stopAtFirstFault) {

    public Fanout {
        if (limit < 1) {
            throw new IllegalArgumentException("a fan-out of " + limit);
        }
    }

    public static Fanout of(int limit) {
        return new Fanout(limit, false);
    }

    /** What became of one input. */
    public sealed interface Outcome<T> {
        record Done<T>(T value) implements Outcome<T> {}

        /** Holds at least one error. */
        record Failed<T>(List<Diagnostic> diagnostics) implements Outcome<T> {}

        /** Not begun, because another one failed. */
        record Skipped<T>() implements Outcome<T> {}
    }

    /**
     * Begins in the order of the inputs and returns when no task runs any more.
     *
     * @param task ends with a value, or with a {@link Failure}
     * @return in the order of the inputs
     * @throws Failure CANCELLED when the calling thread is interrupted; the tasks were interrupted and have ended
     * @throws RuntimeException what a task threw that is no Failure: a bug; the other tasks have ended
     */
    public <I, O> Map<I, Outcome<O>> each(Collection<I> inputs, Function<I, O> task) {
        var run = new Run<>(List.copyOf(inputs), task, stopAtFirstFault);
        run.work(Math.min(limit, inputs.size()));
        return run.outcomes();
    }

    private static final class Run<I, O> {
        private final List<I> inputs;
        private final Function<I, O> task;
        private final boolean stopAtFirstFault;
        private final AtomicReferenceArray<@Nullable Outcome<O>> outcomes;
        private final AtomicInteger next = new AtomicInteger();
        private final List<Thread> workers = new ArrayList<>();
        private volatile boolean stop;
        private volatile @Nullable Throwable bug;

        Run(List<I> inputs, Function<I, O> task, boolean stopAtFirstFault) {
            this.inputs = inputs;
            this.task = task;
            this.stopAtFirstFault = stopAtFirstFault;
            this.outcomes = new AtomicReferenceArray<>(inputs.size());
        }

        void work(int count) {
            for (int i = 0; i < count; i++) {
                workers.add(Thread.ofVirtual().name("fanout-", i).unstarted(this::worker));
            }
            workers.forEach(Thread::start);
            boolean interrupted = false;
            for (var worker : workers) {
                while (true) {
                    try {
                        worker.join();
                        break;
                    } catch (InterruptedException e) {
                        interrupted = true;
                        halt();
                    }
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
                throw new Failure(Diagnostic.error(Code.CANCELLED, "The work was interrupted.", ""));
            }
        }

        private void worker() {
            for (int i = next.getAndIncrement(); i < inputs.size() && !stop; i = next.getAndIncrement()) {
                try {
                    outcomes.set(i, new Outcome.Done<>(task.apply(inputs.get(i))));
                } catch (Failure e) {
                    outcomes.set(i, new Outcome.Failed<>(e.diagnostics()));
                    if (stopAtFirstFault && !stop) {
                        halt();
                    }
                } catch (RuntimeException | Error e) {
                    bug = e;
                    halt();
                }
            }
        }

        private void halt() {
            stop = true;
            workers.stream()
                    .filter(worker -> !worker.equals(Thread.currentThread()))
                    .forEach(Thread::interrupt);
        }

        Map<I, Outcome<O>> outcomes() {
            switch (bug) {
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case null, default -> {}
            }
            var all = new LinkedHashMap<I, Outcome<O>>();
            for (int i = 0; i < inputs.size(); i++) {
                var outcome = outcomes.get(i);
                all.put(inputs.get(i), outcome == null ? new Outcome.Skipped<>() : outcome);
            }
            return all;
        }
    }
}
