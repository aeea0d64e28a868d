package io.deepsite.apply;

import io.deepsite.ansible.ControlNodes;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Begins each step as soon as everything that it needs has ended, successfully or not. Provider calls run side by side;
 * steps inside hosts share processes of Ansible.
 */
final class Dispatcher {
    /**
     * Concurrent provider calls: enough to keep a back-end busy, few enough that one host's guests do not starve while
     * booting.
     */
    private static final int CALLS = 8;

    private final StepGraph graph;
    private final PlayQueue plays;
    private final Work work;
    private final Deque<Step.OfResource> calls = new ArrayDeque<>();
    /** What threads report, to be done by the one that runs the dispatcher. */
    private final BlockingQueue<Runnable> reports = new LinkedBlockingQueue<>();

    /** Steps inside hosts that became ready since the last look. */
    private final Deque<Step> ready = new ArrayDeque<>();

    private final int processes;
    private final int steps;
    private final Set<String> ended = new HashSet<>();
    private int callsInFlight;
    private int processesInFlight;
    private int number;
    private @Nullable Throwable fault;

    /** What the steps do. */
    interface Work {
        /** Ends a step inside a host that may not run. */
        boolean refuses(Step step);

        void call(Step.OfResource step);

        /**
         * Runs plays in one process.
         *
         * @param number of the process in this run
         * @param ended gets each step as it ends
         * @return steps that were not begun, and may be later
         */
        List<Step> play(int number, List<StepsOfPlay> plays, Consumer<Step> ended);
    }

    Dispatcher(Plan plan, Collection<? extends Step> steps, Waits waits, ControlNodes nodes, Work work) {
        this.graph = new StepGraph(steps, waits);
        this.plays = new PlayQueue(plan, graph, nodes.hosts());
        this.work = work;
        this.processes = nodes.processes();
        this.steps = steps.size();
        steps.forEach(this::add);
        plays.begin();
    }

    /** Returns when all steps have ended; then rethrows what their work threw. */
    void run() {
        boolean interrupted = false;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            begin(threads);
            while (callsInFlight + processesInFlight > 0) {
                try {
                    reports.take().run();
                    if (!interrupted) {
                        begin(threads);
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                    threads.shutdownNow();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        switch (fault) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {}
        }
        if (!interrupted && ended.size() < steps) {
            throw new IllegalStateException("steps need each other");
        }
    }

    private void add(Step step) {
        if (step instanceof Step.OfResource call) {
            if (graph.isReady(step)) {
                calls.add(call);
            }
        } else {
            plays.add(step);
            if (graph.isReady(step)) {
                ready.add(step);
            }
        }
    }

    private void ended(Step step) {
        if (!ended.add(step.id())) {
            return;
        }
        for (var next : graph.ended(step)) {
            if (next instanceof Step.OfResource call) {
                calls.add(call);
            } else {
                plays.ready(next);
                ready.add(next);
            }
        }
    }

    private void begin(ExecutorService threads) {
        while (!ready.isEmpty()) {
            var step = ready.remove();
            // One that shares the process of what it waited for has begun.
            if (!ended.contains(step.id()) && plays.isWaiting(step) && work.refuses(step)) {
                plays.drop(step);
                ended(step);
            }
        }
        while (callsInFlight < CALLS && !calls.isEmpty()) {
            var call = calls.remove();
            callsInFlight++;
            threads.execute(() -> {
                var thrown = thrownBy(() -> work.call(call));
                reports.add(() -> {
                    callsInFlight--;
                    failed(thrown);
                    ended(call);
                });
            });
        }
        for (var together : plays.take(processes - processesInFlight, callsInFlight > 0)) {
            int mine = ++number;
            processesInFlight++;
            threads.execute(() -> {
                var again = new ArrayList<Step>();
                var thrown =
                        thrownBy(() -> again.addAll(work.play(mine, together, step -> reports.add(() -> ended(step)))));
                reports.add(() -> {
                    processesInFlight--;
                    plays.over(together);
                    failed(thrown);
                    again.forEach(this::add);
                    together.stream()
                            .flatMap(play -> play.steps().stream())
                            .filter(step -> !again.contains(step))
                            .forEach(this::ended);
                });
            });
        }
    }

    private void failed(@Nullable Throwable thrown) {
        fault = fault == null ? thrown : fault;
    }

    private static @Nullable Throwable thrownBy(Runnable work) {
        try {
            work.run();
            return null;
        } catch (Throwable e) {
            return e;
        }
    }
}
