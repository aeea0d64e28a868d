package io.deepsite.apply;

import io.deepsite.diag.Failure;
import io.deepsite.plan.Change;
import io.deepsite.plan.Step;
import io.deepsite.provider.Call;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.remote.Readiness;
import io.deepsite.remote.Watch;
import io.deepsite.state.CrashPoint;
import io.deepsite.state.RecordedResource;
import io.deepsite.state.SiteState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Runs one resource step: intent, the remote call, outcome, record. */
final class ResourceRun {
    private final Provider provider;
    private final Tags tags;
    private final RunRecorder recorder;
    private final Map<String, Machine> machines;
    private final Access access;
    private final Optional<Readiness> readiness;
    private final Optional<OwnHostKey> hostKeys;
    private final Outcomes outcomes;
    private final Consumer<Event> events;
    private final Cancel cancel;

    /**
     * @param readiness empty: do not wait for machines to be reachable
     * @param hostKeys empty: machines keep their injected host key
     */
    ResourceRun(
            Provider provider,
            Tags tags,
            RunRecorder recorder,
            Map<String, Machine> machines,
            Access access,
            Optional<Readiness> readiness,
            Optional<OwnHostKey> hostKeys,
            Outcomes outcomes,
            Consumer<Event> events,
            Cancel cancel) {
        this.provider = provider;
        this.tags = tags;
        this.recorder = recorder;
        this.machines = machines;
        this.access = access;
        this.readiness = readiness;
        this.hostKeys = hostKeys;
        this.outcomes = outcomes;
        this.events = events;
        this.cancel = cancel;
    }

    void run(Step.OfResource step) {
        var subject = subject(step);
        var begun = Instant.now();
        if (cancel.asked()) {
            outcomes.end(step, subject, Event.StepOutcome.CANCELLED, "", Duration.ZERO);
            return;
        }
        if (!outcomes.canRun(step)) {
            outcomes.end(step, subject, Event.StepOutcome.BLOCKED, "", Duration.ZERO);
            return;
        }
        events.accept(new Event.Started(step.id(), subject, what(step)));
        boolean changed = false;
        try {
            change(step, subject);
            changed = true;
            if (step.isMachine() && step.change() != Change.DELETE && readiness.isPresent()) {
                admit(readiness.get(), step, subject);
                // The run's end writes it; if the run is killed before, the next one waits again.
                recorder.state().recordLater(state -> awaited(subject, state, false));
            }
            outcomes.end(step, subject, Event.StepOutcome.DONE, "", Duration.between(begun, Instant.now()));
        } catch (Failure e) {
            var took = Duration.between(begun, Instant.now());
            if (e.isCancelled()) {
                outcomes.end(
                        step,
                        subject,
                        Event.StepOutcome.CANCELLED,
                        changed ? "it is made; whether it answers was not waited for" : "",
                        took);
            } else {
                outcomes.fail(step, subject, e.diagnostics(), took);
            }
        }
    }

    /** Waits for the first login, then has the machine generate a private host key. */
    private void admit(Readiness gate, Step.OfResource step, String subject) {
        var watch = Watch.of(provider, subject, tags.site());
        // Waiting changes nothing, so it can be cancelled at once.
        var call = call(step, subject, cancel::asked);
        gate.await(access.target(machine(subject), machines), call, watch);
        hostKeys.ifPresent(keys -> keys.make(machine(subject), machines, call, watch));
    }

    private void change(Step.OfResource step, String subject) {
        var call = call(step, subject, cancel::atOnce);
        recorder.intent(step.id(), Map.of("change", step.change().name(), "name", name(step)));
        if (step.isMachine() && (step.change() == Change.UPDATE || step.change() == Change.REPLACE)) {
            // If the run is killed during the call, this is the only record that it may still be booting.
            recorder.state().record(state -> awaited(subject, state, true));
        }
        CrashPoint.pass("remote.before");
        try {
            switch (step.change()) {
                case CREATE -> create(step, call);
                case UPDATE ->
                    provider.update(step.seen().orElseThrow(), step.desired().orElseThrow(), call);
                case REPLACE -> {
                    provider.delete(step.seen().orElseThrow(), call);
                    // If the run is killed from here on, the next one completes it without another consent.
                    recorder.state().record(state -> withoutTraces(id(step), state));
                    create(step, call);
                }
                case DELETE -> provider.delete(step.seen().orElseThrow(), call);
                case RELEASE -> provider.release(step.seen().orElseThrow(), call);
                case NONE -> {}
            }
            if (step.isMachine() && step.change() != Change.DELETE) {
                provider.outside(subject, tags.site()).ifPresent(address -> access.reachedAt(subject, address));
            }
        } catch (Failure e) {
            // Whatever the call left behind has our tags, so the next survey finds it.
            recorder.failed(step.id(), e.diagnostics().getFirst().code().id());
            throw e;
        }
        CrashPoint.pass("remote.after");
        recorder.done(step.id(), state -> record(step, state));
    }

    private static SiteState withoutTraces(ResourceId id, SiteState state) {
        var next = state.withoutResource(id.toString());
        return id.kind().equals(ResourceId.MACHINE) ? next.withoutHost(id.key()) : next;
    }

    private void create(Step.OfResource step, Call call) {
        var desired = step.desired().orElseThrow();
        provider.create(
                desired, tags, desired.isMachine() ? access.boot(desired.id().key()) : access.boot(), call);
    }

    private SiteState record(Step.OfResource step, SiteState state) {
        return switch (step.change()) {
            case CREATE, UPDATE, REPLACE, NONE -> {
                var resource = step.desired().orElseThrow();
                var next = state.withResource(resource.id().toString(), recorded(resource));
                boolean fresh = step.change() == Change.CREATE || step.change() == Change.REPLACE;
                yield step.isMachine() ? host(resource.id().key(), next, fresh) : next;
            }
            case DELETE, RELEASE -> withoutTraces(id(step), state);
        };
    }

    /** @param fresh discard all records of an earlier machine of this name */
    private SiteState host(String name, SiteState state, boolean fresh) {
        var before = state.hosts().get(name);
        var host = access.recorded(machine(name), machines);
        return state.withHost(name, (fresh || before == null ? host : host.configuredAs(before)).withAwaited(true));
    }

    private static SiteState awaited(String name, SiteState state, boolean awaited) {
        var host = state.hosts().get(name);
        return host == null || host.awaited() == awaited ? state : state.withHost(name, host.withAwaited(awaited));
    }

    private Machine machine(String name) {
        var machine = machines.get(name);
        if (machine == null) {
            throw new IllegalStateException("the plan has no machine " + name);
        }
        return machine;
    }

    private static RecordedResource recorded(Resource resource) {
        return new RecordedResource(
                resource.id().kind(),
                resource.name(),
                new TreeMap<>(resource.lastingValues()),
                resource.dependsOn().stream().map(Object::toString).toList());
    }

    private Call call(Step step, String subject, BooleanSupplier cancelled) {
        return new Call() {
            @Override
            public void progress(String what) {
                events.accept(new Event.Progress(step.id(), subject, what));
            }

            @Override
            public boolean cancelled() {
                return cancelled.getAsBoolean();
            }
        };
    }

    static String subject(Step.OfResource step) {
        return step.isMachine() ? key(step) : step.id().substring(step.id().indexOf(':') + 1);
    }

    private static String key(Step.OfResource step) {
        return id(step).key();
    }

    private static ResourceId id(Step.OfResource step) {
        return step.desired()
                .map(Resource::id)
                .or(() -> step.seen().map(ObservedResource::id))
                .orElseThrow();
    }

    private static String name(Step.OfResource step) {
        return step.desired()
                .map(Resource::name)
                .or(() -> step.seen().map(ObservedResource::name))
                .orElseThrow();
    }

    private String what(Step.OfResource step) {
        return switch (step.change()) {
            case CREATE -> "create";
            case UPDATE -> "update";
            case REPLACE -> "replace";
            case DELETE -> "delete";
            case RELEASE -> "released";
            case NONE -> recorder.state().current().hosts().containsKey(subject(step)) ? "wait for it" : "record";
        };
    }
}
