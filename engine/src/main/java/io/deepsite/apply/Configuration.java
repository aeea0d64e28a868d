package io.deepsite.apply;

import io.deepsite.ansible.AnsibleEvent;
import io.deepsite.ansible.AnsibleRunner;
import io.deepsite.ansible.Bundle;
import io.deepsite.ansible.HostResult;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Consent;
import io.deepsite.plan.FormerUsers;
import io.deepsite.plan.Plan;
import io.deepsite.plan.PlanJson;
import io.deepsite.plan.ResolvedPlan;
import io.deepsite.plan.Step;
import io.deepsite.plan.UnknownResolver;
import io.deepsite.provider.Machine;
import io.deepsite.render.ContractJson;
import io.deepsite.state.AtomicFile;
import io.deepsite.state.CrashPoint;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedRole;
import io.deepsite.state.Runs;
import io.deepsite.state.SiteState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Applies roles to hosts and removes them: one Ansible run for all pending hosts of a stage. */
final class Configuration {
    private final Plan plan;
    private final Access access;
    private final Bundles bundles;
    private final RunRecorder recorder;
    private final Consumer<Event> events;
    private final Cancel cancel;
    private final Map<String, String> environment;
    private final Runs.Run run;
    private final Map<String, Step.OfRole> closed = new TreeMap<>();
    private Path bundle;

    Configuration(
            Plan plan,
            Access access,
            Bundles bundles,
            RunRecorder recorder,
            Consumer<Event> events,
            Cancel cancel,
            Map<String, String> environment,
            Runs.Run run) {
        this.plan = plan;
        this.access = access;
        this.bundles = bundles;
        this.recorder = recorder;
        this.events = events;
        this.cancel = cancel;
        this.environment = environment;
        this.run = run;
        this.bundle = run.folder().resolve("bundle");
    }

    /**
     * Fills in what was unknown, saves the resolved plan, and writes the bundle of these steps; after this nothing
     * about them changes.
     *
     * @param name of the bundle's folder
     * @throws Failure FACT_MISSING
     */
    void close(String name, List<Step> steps, UnknownResolver resolver) {
        if (steps.stream().anyMatch(Step.OfRole.class::isInstance)) {
            var filled = ResolvedPlan.of(plan, resolver);
            keep(filled);
            filled.steps().forEach(step -> {
                if (step instanceof Step.OfRole role) {
                    closed.put(role.id(), role);
                }
            });
        }
        bundle = run.folder().resolve(name);
        var targets = new ArrayList<>(plan.machines().values().stream()
                .filter(this::isThere)
                .map(machine -> access.target(machine, plan.machines()))
                .toList());
        steps.stream()
                .map(Configuration::host)
                .filter(host -> !plan.machines().containsKey(host))
                .distinct()
                .forEach(host -> {
                    var recorded = recorder.state().current().hosts();
                    if (recorded.containsKey(host)) {
                        targets.add(access.target(host, recorded));
                    }
                });
        bundles.write(plan, steps, targets, resolver, bundle);
    }

    private void keep(Plan filled) {
        var file = run.make("closed-plan.json");
        try (var out = Files.newOutputStream(file)) {
            PlanJson.write(filled, out);
        } catch (IOException e) {
            throw AtomicFile.notWritten(file, e);
        }
    }

    /** Checks that Ansible is installed, before anything is created that it must configure. */
    void check() {
        new AnsibleRunner(run.folder(), run.folder(), environment).check();
    }

    /** A machine whose creation was not even started has no key; its steps are blocked. */
    private boolean isThere(Machine machine) {
        return machine.resource().isEmpty() || access.knows(machine.name());
    }

    /**
     * Runs the steps of one play.
     *
     * @param name of the log, unique in the run
     */
    void run(String name, List<Step> steps, Outcomes outcomes) {
        var due = new ArrayList<Step>();
        for (var step : steps) {
            if (cancel.asked()) {
                outcomes.end(step, host(step), Event.StepOutcome.CANCELLED, "", Duration.ZERO);
            } else if (plan.silent().containsKey(host(step))) {
                outcomes.end(step, host(step), Event.StepOutcome.BLOCKED, "its host does not answer", Duration.ZERO);
            } else if (!outcomes.canRun(step)) {
                outcomes.end(step, host(step), Event.StepOutcome.BLOCKED, "", Duration.ZERO);
            } else {
                due.add(step);
            }
        }
        if (!due.isEmpty()) {
            var begun = Instant.now();
            try {
                play(name, due, outcomes);
            } catch (Failure e) {
                // The outcome on the hosts is unknown: their intents stay open, and the next run probes them.
                outcomes.failAll(e.diagnostics());
                due.stream()
                        .filter(step -> !outcomes.hasEnded(step))
                        .forEach(step ->
                                outcomes.fail(step, host(step), List.of(), Duration.between(begun, Instant.now())));
            }
        }
    }

    private void play(String name, List<Step> due, Outcomes outcomes) {
        var begun = Instant.now();
        recorder.intents(due.stream().map(Step::id).toList(), Map.of("stage", name));
        due.forEach(step -> events.accept(
                new Event.Started(step.id(), host(step), (step instanceof Step.Leave ? "leave " : "") + role(step))));
        CrashPoint.pass("stage.before");
        var hosts = due.stream().map(Configuration::host).toList();
        var play = new Bundle.Play(play(due.getFirst()), role(due.getFirst()), hosts, Bundles.batch(plan, due));
        var results = runner().run(play, name, hosts, variables(due), event -> progress(due, event), cancel::listen);
        CrashPoint.pass("stage.after");
        record(due, results);
        var took = Duration.between(begun, Instant.now());
        due.forEach(step -> end(step, name, result(step, results), took, outcomes));
    }

    /** One write for all hosts of the play. */
    private void record(List<Step> due, Map<String, HostResult> results) {
        var done = new ArrayList<Step>();
        var failed = new TreeMap<String, String>();
        for (var step : due) {
            switch (result(step, results)) {
                case HostResult.Done _ -> done.add(step);
                case HostResult.NotTried _ -> failed.put(step.id(), "not tried");
                case HostResult.Failed fault ->
                    failed.put(step.id(), fault.item().isEmpty() ? fault.task() : fault.item());
            }
        }
        recorder.done(done.stream().map(Step::id).toList(), state -> {
            var next = state;
            for (var step : done) {
                next = record(step, next);
            }
            return next;
        });
        recorder.failed(failed);
    }

    private void end(Step step, String name, HostResult result, Duration took, Outcomes outcomes) {
        switch (result) {
            case HostResult.Done _ -> outcomes.end(step, host(step), Event.StepOutcome.DONE, "", took);
            case HostResult.NotTried _ ->
                outcomes.end(
                        step,
                        host(step),
                        Event.StepOutcome.BLOCKED,
                        "its turn did not come: a host before failed",
                        took);
            case HostResult.Failed _
            when cancel.atOnce() -> outcomes.end(step, host(step), Event.StepOutcome.CANCELLED, "", took);
            case HostResult.Failed failed -> outcomes.fail(step, host(step), faults(name, step, failed), took);
        }
    }

    private static HostResult result(Step step, Map<String, HostResult> results) {
        return results.getOrDefault(host(step), new HostResult.Failed("", "", "Ansible did not say", false));
    }

    private Map<String, Object> variables(List<Step> due) {
        var variables = new TreeMap<String, Object>();
        if (due.getFirst() instanceof Step.Leave leave) {
            variables.put("deepsite_deleting", leave.machineGoes());
            variables.put("deepsite_dropped", leave.extent() == Step.Leave.Extent.ACTIONS);
        }
        if (due.stream().anyMatch(step -> step.consents().contains(Consent.REMOVE_PACKAGES))) {
            variables.put("deepsite_remove_packages", true);
        }
        return variables;
    }

    private void progress(List<Step> due, AnsibleEvent event) {
        var task = event.task();
        if (event.event().equals("task") && task != null) {
            due.forEach(step -> events.accept(new Event.Progress(step.id(), host(step), task)));
        }
    }

    private SiteState record(Step step, SiteState state) {
        var host = state.hosts().get(host(step));
        if (step instanceof Step.Leave leave) {
            return host == null ? state : left(leave, state, host);
        }
        var role = Objects.requireNonNull(closed.get(step.id()), step.id());
        var asKnownNow = recorded(role.host());
        var known = host == null ? asKnownNow : host.withSize(asKnownNow.size());
        return state.withHost(
                role.host(),
                withFormerUsers(known, role.role(), Optional.of(role.contract()))
                        .withRole(
                                role.role(),
                                new RecordedRole(
                                        role.stage(),
                                        needs(role.stage()),
                                        role.fingerprint(),
                                        ContractJson.tree(role.contract()),
                                        role.contract().actions().stream()
                                                .map(Action::id)
                                                .toList())));
    }

    private List<String> needs(String stage) {
        return plan.stages().stream()
                .filter(order -> order.name().equals(stage))
                .findFirst()
                .map(Plan.StageOrder::needs)
                .orElse(List.of());
    }

    private SiteState left(Step.Leave leave, SiteState state, RecordedHost host) {
        return switch (leave.extent()) {
            case MACHINE -> state;
            case ROLE -> withoutRole(state, leave.host(), host, leave.role());
            case ACTIONS -> {
                var role = host.roles().get(leave.role());
                var undone = leave.contract().actions().stream().map(Action::id).toList();
                yield role == null
                        ? state
                        : state.withHost(leave.host(), host.withRole(leave.role(), role.withoutActions(undone)));
            }
        };
    }

    /** Forgets a host that deepsite did not make once its last role is removed. */
    private SiteState withoutRole(SiteState state, String name, RecordedHost host, String role) {
        var next = withFormerUsers(host, role, Optional.empty()).withoutRole(role);
        boolean made = state.resources().containsKey("instance/" + name);
        return next.roles().isEmpty() && !made && !plan.machines().containsKey(name)
                ? state.withoutHost(name)
                : state.withHost(name, next);
    }

    private static RecordedHost withFormerUsers(RecordedHost host, String role, Optional<Contract> next) {
        return host.withFormerUsers(FormerUsers.after(host, role, next));
    }

    private RecordedHost recorded(String host) {
        var machine = plan.machines().get(host);
        if (machine == null) {
            throw new IllegalStateException("the plan has no machine " + host);
        }
        return access.recorded(machine, plan.machines());
    }

    /** The role's own diagnostics, else Ansible's words. */
    private List<Diagnostic> faults(String name, Step step, HostResult.Failed failed) {
        var log = run.folder().resolve("ansible-" + name + ".log");
        var known = RoleFault.in(failed.message());
        if (!known.isEmpty()) {
            return known.stream()
                    .map(fault -> fault.diagnostic(role(step), host(step), log))
                    .toList();
        }
        return List.of(Diagnostic.error(
                Code.ROLE_FAILED,
                role(step) + " on " + host(step) + (failed.unreachable() ? ", which did not answer Ansible" : "")
                        + (failed.task().isEmpty() ? "" : ", task \"" + failed.task() + "\"")
                        + (failed.item().isEmpty() ? "" : ", " + failed.item()) + ": " + failed.message(),
                "Fix the cause; apply resumes from this step. Ansible's output is in " + log + ".",
                "deepsite apply"));
    }

    private AnsibleRunner runner() {
        return new AnsibleRunner(bundle, run.folder(), environment);
    }

    /** The playbook of a step, shared by the steps of the same kind. */
    static String play(Step step) {
        return switch (step) {
            case Step.OfRole role -> role.stage();
            case Step.Leave leave -> Bundles.playOf(leave);
            case Step.OfResource resource -> throw new IllegalArgumentException(resource.id() + " is run by no play");
        };
    }

    static String host(Step step) {
        return switch (step) {
            case Step.OfRole role -> role.host();
            case Step.Leave leave -> leave.host();
            case Step.OfResource resource -> ResourceRun.subject(resource);
        };
    }

    private static String role(Step step) {
        return switch (step) {
            case Step.OfRole role -> role.role();
            case Step.Leave leave -> leave.role();
            case Step.OfResource _ -> "";
        };
    }
}
