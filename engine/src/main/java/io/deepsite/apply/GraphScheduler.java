package io.deepsite.apply;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs groups of steps in dependency order, up to a limit at a time. A group starts when every group that it needs has
 * ended, successfully or not: the group itself checks which of its steps can still run.
 */
final class GraphScheduler {
    /**
     * Steps that run together.
     *
     * @param name unique
     * @param needs step ids; those in no group count as ended
     */
    record Group<S>(String name, List<S> steps, Set<String> ids, Set<String> needs) {}

    private GraphScheduler() {}

    /** @param limit groups at a time */
    static <S> void run(Collection<Group<S>> groups, int limit, Consumer<Group<S>> work) {
        var slots = new Semaphore(limit);
        run(groups, _ -> slots, work);
    }

    /**
     * Returns when all groups have ended; then rethrows an exception of a group.
     *
     * @param slotsOf the semaphore that a ready group acquires; groups of one kind share one
     */
    static <S> void run(Collection<Group<S>> groups, Function<Group<S>, Semaphore> slotsOf, Consumer<Group<S>> work) {
        var groupOf = new HashMap<String, Group<S>>();
        groups.forEach(group -> group.ids().forEach(id -> groupOf.put(id, group)));
        refuseCycles(groups, groupOf);
        var ended = new HashMap<String, CompletableFuture<Void>>();
        groups.forEach(group -> ended.put(group.name(), new CompletableFuture<>()));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var group : groups) {
                var before = needed(group, groupOf).stream()
                        .map(other -> ended.get(other.name()))
                        .toArray(CompletableFuture<?>[]::new);
                var mine = ended.get(group.name());
                threads.execute(() -> {
                    try {
                        CompletableFuture.allOf(before).handle((_, _) -> null).join();
                        var slots = slotsOf.apply(group);
                        slots.acquireUninterruptibly();
                        try {
                            work.accept(group);
                        } finally {
                            slots.release();
                        }
                        complete(mine);
                    } catch (Throwable e) {
                        fail(mine, e);
                    }
                });
            }
        }
        ended.values().forEach(GraphScheduler::rethrow);
    }

    /** Unwraps what the group threw, so that a Failure stays a Failure. */
    private static void rethrow(CompletableFuture<Void> ended) {
        switch (ended.isCompletedExceptionally() ? ended.exceptionNow() : null) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {}
        }
    }

    private static void complete(@Nullable CompletableFuture<Void> future) {
        if (future != null) {
            future.complete(null);
        }
    }

    private static void fail(@Nullable CompletableFuture<Void> future, Throwable why) {
        if (future != null) {
            future.completeExceptionally(why);
        }
    }

    private static <S> Collection<Group<S>> needed(Group<S> group, Map<String, Group<S>> groupOf) {
        var needed = new TreeMap<String, Group<S>>();
        group.needs().forEach(id -> {
            var other = groupOf.get(id);
            if (other != null && !other.name().equals(group.name())) {
                needed.put(other.name(), other);
            }
        });
        return needed.values();
    }

    private static <S> void refuseCycles(Collection<Group<S>> groups, Map<String, Group<S>> groupOf) {
        var done = new HashSet<String>();
        for (var group : groups) {
            visit(group, groupOf, new HashSet<>(), done);
        }
    }

    private static <S> void visit(Group<S> group, Map<String, Group<S>> groupOf, Set<String> open, Set<String> done) {
        if (done.contains(group.name())) {
            return;
        }
        if (!open.add(group.name())) {
            throw new IllegalStateException("steps need each other: " + group.name());
        }
        needed(group, groupOf).forEach(other -> visit(other, groupOf, open, done));
        open.remove(group.name());
        done.add(group.name());
    }
}
