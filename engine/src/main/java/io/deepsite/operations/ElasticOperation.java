package io.deepsite.operations;

import io.deepsite.apply.Cancel;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.load.LoadResult;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedApply;
import io.deepsite.state.SiteState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes and removes the elastic machines of a site as its clusters ask for them, until it is ended. Each change is a plan of
 * the whole site and its apply, under the site's lock. What it does follows from what controllers say now and from what is
 * there, so it may be killed at any moment and started again.
 */
public final class ElasticOperation {
    /** Between two tries of the same, when something else of the site fails. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(8);

    private static final Set<Code> OF_OTHERS = EnumSet.of(
            Code.LOCK_HELD, Code.LOCK_LOST, Code.ANSIBLE_STILL_RUNS, Code.STALE_PLAN, Code.CHANGED_SINCE_PLAN);

    private final Supplier<LoadResult> file;
    private final Function<LoadResult, SiteContext> opening;
    private final ElasticRoom room;
    private final Consumer<Diagnostic> notices;
    private final Consumer<ElasticEvent> events;
    private final Cancel cancel;
    private final ElasticPauses pauses;
    private final ElasticBackoff backoff = new ElasticBackoff();
    private final Semaphore news = new Semaphore(0);
    private volatile LoadResult loaded;
    private @Nullable String lastApply;
    /** Whether the last apply, perhaps of a killed process, may have left something to finish. */
    private boolean unfinished;

    private SortedSet<String> lastTarget = new TreeSet<>();
    private Duration pause;
    private Instant pausedUntil = Instant.EPOCH;
    private String lastFault = "";

    /**
     * @param file reads site.yaml; again whenever somebody else has applied it since
     * @param opening opens what was read, for one use; once it is cancelled, it may refuse to
     */
    public ElasticOperation(
            Supplier<LoadResult> file,
            Function<LoadResult, SiteContext> opening,
            ElasticRoom room,
            Consumer<Diagnostic> notices,
            Consumer<ElasticEvent> events,
            Cancel cancel,
            ElasticPauses pauses) {
        this.pauses = pauses;
        this.pause = pauses.turn();
        this.file = file;
        this.opening = opening;
        this.room = room;
        this.notices = notices;
        this.events = events;
        this.cancel = cancel;
        this.loaded = file.get();
    }

    /**
     * Until it is cancelled.
     *
     * @throws Failure NO_ELASTIC; UNKNOWN_STAGE when the site was not applied
     */
    public void run() {
        InstantSource clock;
        ElasticMachines machines;
        try (var context = open()) {
            clock = context.runtime().clock();
            machines = context.elastic();
            refuseNone(context, machines);
            lastApply = run(context.state());
            unfinished = isUnfinished(context);
        }
        cancel.listenFirst(news::release);
        while (!cancel.asked()) {
            var controllers = controllers(machines);
            try {
                machines = turns(machines, controllers, clock);
            } finally {
                controllers.forEach(ElasticController::close);
            }
        }
    }

    static void refuseNone(SiteContext context, ElasticMachines machines) {
        if (machines.clusters().isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.NO_ELASTIC,
                    "No cluster of " + context.site().name() + " has elastic groups, so there is nothing to wait for.",
                    "Name a compute group of a Slurm cluster in its elastic key, and apply. What it takes:",
                    "deepsite explain clusters.elastic"));
        }
        new AppliedHosts(context.state().hosts()).refuseNone();
    }

    private SiteContext open() {
        return opening.apply(loaded);
    }

    private List<ElasticController> controllers(ElasticMachines machines) {
        var controllers = new ArrayList<ElasticController>();
        machines.clusters()
                .forEach((name, elastic) -> controllers.add(new ElasticController(
                        name,
                        elastic,
                        loaded.orFail().machineNames(elastic.controller()).getFirst(),
                        machines,
                        this::open,
                        news::release,
                        notices,
                        pauses.reconnect())));
        events.accept(new ElasticEvent(
                "watching",
                controllers.stream().map(ElasticController::host).collect(Collectors.toCollection(TreeSet::new)),
                ""));
        return controllers;
    }

    /** @return the elastic machines of a site.yaml that somebody else applied; what it was given, at the end */
    private ElasticMachines turns(ElasticMachines machines, List<ElasticController> controllers, InstantSource clock) {
        while (!cancel.asked()) {
            await();
            if (cancel.asked()) {
                break;
            }
            try {
                if (isReplaced()) {
                    try (var context = open()) {
                        return context.elastic();
                    }
                }
                turn(machines, controllers, clock.instant());
                lastFault = "";
            } catch (Failure e) {
                tell(e);
            }
        }
        return machines;
    }

    /** Until something was said, and then a little, or until it is time to look again anyway. */
    private void await() {
        try {
            if (news.tryAcquire(pauses.turn().toMillis(), TimeUnit.MILLISECONDS) && !cancel.asked()) {
                var _ = new Semaphore(0).tryAcquire(pauses.settle().toMillis(), TimeUnit.MILLISECONDS);
                news.drainPermits();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            cancel.ask();
        }
    }

    /** What somebody applied meanwhile is the site now, and only that: a file that is being edited is not. */
    private boolean isReplaced() {
        try (var context = open()) {
            var now = run(context.state());
            if (Objects.equals(now, lastApply)) {
                return false;
            }
            lastApply = now;
            unfinished = isUnfinished(context);
        }
        loaded = file.get();
        return true;
    }

    private static boolean isUnfinished(SiteContext context) {
        var last = context.state().apply();
        return context.lock().isOfTheDead()
                || !context.records().openIntents().isEmpty()
                || (last != null && last.outcome() != Outcome.PASSED);
    }

    private static @Nullable String run(SiteState state) {
        return Optional.ofNullable(state.apply()).map(RecordedApply::run).orElse(null);
    }

    private void turn(ElasticMachines machines, List<ElasticController> controllers, Instant now) {
        SortedSet<String> existing;
        try (var context = open()) {
            existing = machines.existing(List.of(), context.state());
        }
        var target = new TreeSet<String>();
        for (var controller : controllers) {
            if (controller.latest().isEmpty()) {
                existing.stream()
                        .filter(name -> machines.contains(controller.elastic(), name))
                        .forEach(target::add);
            }
            controller.latest().ifPresent(request -> target.addAll(target(request, now)));
        }
        if (controllers.stream().noneMatch(controller -> controller.latest().isPresent())) {
            return;
        }
        boolean waits = target.equals(lastTarget) && now.isBefore(pausedUntil);
        if ((unfinished || !target.equals(existing)) && !waits) {
            lastTarget = target;
            pausedUntil = now.plus(pause);
            pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
            change(machines, controllers, existing, target, now);
        }
        try (var context = open()) {
            report(controllers, there(machines, controllers, context), now);
        }
    }

    private SortedSet<String> target(ElasticRequest request, Instant now) {
        request.failed().forEach(name -> backoff.reported(name, now));
        var target = new TreeSet<>(request.wanted());
        target.removeAll(request.released());
        target.removeAll(request.failed());
        target.removeIf(name -> backoff.waits(name, now));
        return target;
    }

    private void change(
            ElasticMachines machines,
            List<ElasticController> controllers,
            SortedSet<String> existing,
            SortedSet<String> target,
            Instant now) {
        var failed = new TreeMap<String, String>();
        var admitted = machines.admitted(target, existing, room, failed);
        var fresh = new TreeSet<>(admitted);
        fresh.removeAll(existing);
        if (unfinished || !admitted.equals(existing)) {
            var idle = new TreeSet<>(existing);
            idle.removeAll(admitted);
            tell("making", fresh, "");
            tell("removing", idle, "");
            unfinished = true;
            try {
                unfinished = !room.during(() -> apply(machines, admitted, failed));
            } catch (Failure e) {
                if (cancel.asked()
                        || e.diagnostics().stream().anyMatch(one -> OF_OTHERS.contains(one.code()))
                        || fresh.isEmpty()) {
                    throw e;
                }
                e.diagnostics().forEach(notices);
                fresh.forEach(
                        name -> failed.put(name, e.diagnostics().getFirst().why()));
            }
            // The jobs of one that was there may run: it stays, and is configured again.
            failed.keySet().removeAll(existing);
            fresh.removeAll(failed.keySet());
            fresh.forEach(backoff::made);
            tellDone(machines, fresh, idle);
        }
        if (!unfinished) {
            pause = pauses.turn();
        }
        failed.keySet().forEach(name -> backoff.failed(name, now));
        fail(machines, controllers, failed);
    }

    /** Something else of the site may have failed beside them. */
    private void tellDone(ElasticMachines machines, SortedSet<String> made, SortedSet<String> removed) {
        if (!cancel.asked()) {
            try (var context = open()) {
                var there = counted(machines, context);
                made.retainAll(there);
                removed.removeAll(there);
            }
            tell("made", made, "");
            tell("removed", removed, "");
        }
    }

    private SortedSet<String> there(
            ElasticMachines machines, List<ElasticController> controllers, SiteContext context) {
        var there = counted(machines, context);
        boolean isAsked = controllers.stream()
                .flatMap(controller -> controller.latest().stream())
                .anyMatch(request -> !request.released().isEmpty());
        // An apply that was cut short may have made what the state does not say.
        return unfinished && isAsked
                ? machines.existing(context.survey(context.state()).owned(), context.state())
                : there;
    }

    private SortedSet<String> counted(ElasticMachines machines, SiteContext context) {
        var there = machines.existing(List.of(), context.state());
        room.has(there, machines.with(there));
        return there;
    }

    /** @return whether all of it was done */
    private boolean apply(ElasticMachines machines, SortedSet<String> target, SortedMap<String, String> failed) {
        try (var context = open()) {
            var result = new ElasticChange(context, machines, target).run(failed, cancel);
            lastApply = run(context.state());
            var _ = counted(machines, context);
            result.diagnostics().forEach(notices);
            return result.exit().number() == 0;
        }
    }

    private void fail(ElasticMachines machines, List<ElasticController> controllers, SortedMap<String, String> failed) {
        for (var controller : controllers) {
            var byReason = new TreeMap<String, SortedSet<String>>();
            failed.forEach((name, why) -> {
                if (machines.contains(controller.elastic(), name)) {
                    byReason.computeIfAbsent(
                                    why.isEmpty() ? "What it needs could not be configured." : oneLine(why),
                                    _ -> new TreeSet<>())
                            .add(name);
                }
            });
            byReason.forEach((why, names) -> {
                controller.failed(names, why);
                tell("failed", names, why);
            });
        }
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    /** What controllers wait for. */
    private void report(List<ElasticController> controllers, SortedSet<String> existing, Instant now) {
        for (var controller : controllers) {
            var request = controller.latest();
            if (request.isEmpty()) {
                continue;
            }
            var gone = new TreeSet<>(request.get().released());
            gone.removeAll(existing);
            if (!gone.isEmpty()) {
                controller.gone(gone);
            }
            var again = backoff.over(request.get().failed(), now);
            if (!again.isEmpty()) {
                tell("retry", again, "");
                controller.retry(again);
            }
        }
    }

    private void tell(String event, SortedSet<String> machines, String why) {
        if (!machines.isEmpty()) {
            events.accept(new ElasticEvent(event, new TreeSet<>(machines), why));
        }
    }

    private void tell(Failure failure) {
        var words = failure.diagnostics().toString();
        if (!words.equals(lastFault) && !cancel.asked()) {
            failure.diagnostics().forEach(notices);
        }
        lastFault = words;
    }
}
