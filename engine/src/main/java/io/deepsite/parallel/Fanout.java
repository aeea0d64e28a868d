package io.deepsite.parallel;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Tasks on virtual threads, at most so many at a time. Closing interrupts those that still run and waits for their end, so
 * that nothing of it outlives the block that opened it.
 */
public final class Fanout implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore slots;

    /** @param limit tasks that run at a time */
    public Fanout(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("a fan-out of " + limit);
        }
        this.slots = new Semaphore(limit);
    }

    /** What became of one input. */
    public sealed interface Result<T> {
        record Done<T>(T value) implements Result<T> {}

        /** Holds at least one error. */
        record Failed<T>(List<Diagnostic> diagnostics) implements Result<T> {}

        /** @throws Failure with the errors */
        default T orFail() {
            return switch (this) {
                case Done<T>(var value) -> value;
                case Failed<T>(var diagnostics) -> throw new Failure(diagnostics);
            };
        }
    }

    /**
     * Does the same to many things and keeps what became of each: one fault does not hide the others. Begins in the order
     * of the inputs and returns when no task runs any more.
     *
     * @param task ends with a value, or with a {@link Failure}
     * @return in the order of the inputs
     * @throws Failure CANCELLED when the calling thread is interrupted; the tasks were interrupted and have ended
     * @throws RuntimeException what a task threw that is no Failure: a bug; the other tasks have ended
     */
    public static <I, O> Map<I, Result<O>> each(int limit, Collection<I> inputs, Function<I, O> task) {
        try (var fanout = new Fanout(limit)) {
            var begun = new LinkedHashMap<I, Supplier<Result<O>>>();
            inputs.forEach(input -> begun.put(input, fanout.start(() -> outcome(input, task))));
            var outcomes = new LinkedHashMap<I, Result<O>>();
            begun.forEach((input, outcome) -> outcomes.put(input, outcome.get()));
            return outcomes;
        }
    }

    private static <I, O> Result<O> outcome(I input, Function<I, O> task) {
        try {
            return new Result.Done<>(task.apply(input));
        } catch (Failure e) {
            return new Result.Failed<>(e.diagnostics());
        }
    }

    /**
     * Begins a task as soon as there is room for it.
     *
     * @return waits for its end; throws what the task threw, or CANCELLED when the waiting thread is interrupted
     */
    public <T> Supplier<T> start(Supplier<T> task) {
        acquire();
        var future = threads.submit(() -> {
            try {
                return task.get();
            } finally {
                slots.release();
            }
        });
        return () -> result(future);
    }

    private void acquire() {
        try {
            slots.acquire();
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static <T> T result(Future<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException fault -> throw fault;
                case Error fault -> throw fault;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    private static Failure interrupted() {
        Thread.currentThread().interrupt();
        return new Failure(Diagnostic.error(Code.CANCELLED, "The work was interrupted.", ""));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        threads.close();
    }
}
