package io.deepsite.lxd;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;

/** Several reads at once, each on a virtual thread. Closing waits for those still running. */
final class Fanout implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Faults faults;

    Fanout(Faults faults) {
        this.faults = faults;
    }

    <T> Supplier<T> start(Supplier<T> read) {
        var future = threads.submit(read::get);
        return () -> result(future);
    }

    <A, B> List<B> each(List<A> of, Function<A, B> read) {
        var started = new ArrayList<Supplier<B>>();
        of.forEach(one -> started.add(start(() -> read.apply(one))));
        return started.stream().map(Supplier::get).toList();
    }

    private <T> T result(Future<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interrupted();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException fault) {
                throw fault;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
