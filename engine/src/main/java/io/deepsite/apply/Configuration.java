package io.deepsite.apply;

import io.deepsite.ansible.Ansible;
import io.deepsite.ansible.AnsibleEvent;
import io.deepsite.ansible.AnsibleProgram;
import io.deepsite.ansible.AnsibleRunner;
import io.deepsite.ansible.Bundle;
import io.deepsite.ansible.HostResult;
import io.deepsite.ansible.Playbook;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Plan;
import io.deepsite.plan.PlanJson;
import io.deepsite.plan.ResolvedPlan;
import io.deepsite.plan.Step;
import io.deepsite.plan.UnknownResolver;
import io.deepsite.remote.SshTarget;
import io.deepsite.state.AtomicFile;
import io.deepsite.state.CrashPoint;
import io.deepsite.state.Runs;
import io.deepsite.state.SecretStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Applies roles to hosts and removes them, with processes of Ansible that run one or more plays each. */
final class Configuration {
    private final Plan plan;
    private final Access access;
    private final Bundles bundles;
    private final MachineCheck machines;
    private final SecretStore secrets;
    private final RunRecorder recorder;
    private final Outcomes outcomes;
    private final Consumer<Event> events;
    private final Cancel cancel;
    private final Ansible ansible;
    private final Runs.Run run;
    private final HostRecords records;
    private final Map<String, Step.OfRole> closed = new ConcurrentHashMap<>();
    /** Rolling stages that a host has failed. */
    private final Set<String> stopped = ConcurrentHashMap.newKeySet();

    Configuration(
            Plan plan,
            Applier.HostAccess hosts,
            SecretStore secrets,
            RunRecorder recorder,
            Applier.RunControl control,
            Outcomes outcomes,
            Ansible ansible) {
        this.plan = plan;
        this.access = hosts.access();
        this.bundles = hosts.bundles();
        this.machines = new MachineCheck(plan, access, hosts.probe(), outcomes);
        this.secrets = secrets;
        this.recorder = recorder;
        this.outcomes = outcomes;
        this.events = control.events();
        this.cancel = control.cancel();
        this.ansible = ansible;
        this.run = control.folder();
        this.records = new HostRecords(plan, access);
    }

    /** Checks that Ansible is installed, before anything is created that it must configure. */
    void check() {
        new AnsibleProgram(ansible.environment()).check(run.folder());
    }

    /** Ends a step that may not run; everything that it needs has ended. */
    boolean refuses(Step step) {
        if (cancel.asked()) {
            end(step, Event.StepOutcome.CANCELLED, "");
        } else if (plan.silent().containsKey(host(step))) {
            end(step, Event.StepOutcome.BLOCKED, "its host does not answer");
        } else if (!outcomes.canRun(step) || machines.isFaulty(host(step))) {
            end(step, Event.StepOutcome.BLOCKED, "");
        } else if (stopped.contains(play(step))) {
            endOfStopped(step);
        } else {
            return false;
        }
        return true;
    }

    private void endOfStopped(Step step) {
        end(step, Event.StepOutcome.BLOCKED, "its turn did not come: a host before failed");
    }

    private void end(Step step, Event.StepOutcome outcome, String why) {
        outcomes.end(step, host(step), outcome, why, Duration.ZERO);
    }

    /**
     * Runs plays in one process of Ansible.
     *
     * @param number of the process in this run; names its bundle and log
     * @param ended gets each step as it ends
     * @return steps that were not begun, although nothing that they need failed
     */
    List<Step> run(int number, List<StepsOfPlay> plays, Consumer<Step> ended) {
        var begun = Instant.now();
        var name = Integer.toString(number);
        List<StepsOfPlay> due = List.of();
        try {
            var steps = plays.stream().flatMap(play -> play.steps().stream()).toList();
            var resolver = UnknownResolvers.of(secrets, cancel.asked() ? Map.of() : machines.facts(steps));
            due = closed(plays, resolver);
            return due.isEmpty() ? List.of() : play(name, due, resolver, ended);
        } catch (Failure e) {
            // The outcome on the hosts is unknown: their intents stay open, and the next run probes them.
            outcomes.failAll(e.diagnostics());
            var took = Duration.between(begun, Instant.now());
            (due.isEmpty() ? plays : due)
                    .stream()
                            .flatMap(play -> play.steps().stream())
                            .filter(step -> !outcomes.hasEnded(step))
                            .forEach(step -> outcomes.fail(step, host(step), List.of(), took));
            return List.of();
        }
    }

    /** Fills in what was unknown, and ends the steps that cannot run. */
    private List<StepsOfPlay> closed(List<StepsOfPlay> plays, UnknownResolver resolver) {
        var lacking = new ArrayList<Step>();
        var dropped = new ArrayList<Step>();
        var due = new ArrayList<StepsOfPlay>();
        for (var play : plays) {
            var mine = new ArrayList<Step>();
            for (var step : play.steps()) {
                boolean lacks = !ResolvedPlan.missing(List.of(step), resolver).isEmpty();
                if (cancel.asked()) {
                    end(step, Event.StepOutcome.CANCELLED, "");
                } else if (stopped.contains(play(step))) {
                    endOfStopped(step);
                } else if (lacks || needs(step, dropped) || outcomes.isLost(step) || machines.isFaulty(host(step))) {
                    end(step, Event.StepOutcome.BLOCKED, "");
                    dropped.add(step);
                    if (lacks) {
                        lacking.add(step);
                    }
                } else {
                    close(step, resolver);
                    mine.add(step);
                }
            }
            if (!mine.isEmpty()) {
                due.add(new StepsOfPlay(play.name(), mine));
            }
        }
        outcomes.failAll(ResolvedPlan.missing(lacking, resolver));
        return due;
    }

    private static boolean needs(Step step, Collection<Step> others) {
        return others.stream().anyMatch(other -> step.needs().contains(other.id()));
    }

    private void close(Step step, UnknownResolver resolver) {
        if (step instanceof Step.OfRole role) {
            closed.put(role.id(), ResolvedPlan.closed(role, plan, resolver));
        }
    }

    /** The step without unknowns, as it is recorded. */
    private Step known(Step step) {
        var known = closed.get(step.id());
        return known == null ? step : known;
    }

    /** The plan as it was carried out, without unknowns. */
    void keep() {
        if (closed.isEmpty()) {
            return;
        }
        var file = run.make("closed-plan.json");
        try (var out = Files.newOutputStream(file)) {
            PlanJson.write(plan.withSteps(plan.steps().stream().map(this::known).toList()), out);
        } catch (IOException e) {
            throw AtomicFile.notWritten(file, e);
        }
    }

    private List<Step> play(String name, List<StepsOfPlay> due, UnknownResolver resolver, Consumer<Step> ended) {
        var folder = run.folder().resolve("bundle-" + name);
        var plays = bundles.write(plan, due, targets(due), resolver, folder);
        recorder.intents(
                due.stream()
                        .flatMap(play -> play.steps().stream())
                        .map(Step::id)
                        .toList(),
                Map.of("ansible", name));
        CrashPoint.pass("stage.before");
        cancel.listenFirst(() -> Playbook.beginNothingMore(folder));
        var playbook = new Playbook(name, folder, run.folder(), hosts(due), ansible.environment(), ansible.grace());
        var listener = new Listener(playbook, due, ended);
        try {
            new AnsibleRunner(playbook, ansible.nodes()).run(plays, listener, cancel::listen);
        } finally {
            events.accept(listener.count.over(name, hosts(due), folder));
        }
        return listener.again;
    }

    private static int hosts(List<StepsOfPlay> plays) {
        return (int) plays.stream()
                .flatMap(play -> play.steps().stream())
                .map(Configuration::host)
                .distinct()
                .count();
    }

    /** The hosts of the plays, and those that their actions may delegate tasks to: an action's arguments name them. */
    private List<SshTarget> targets(List<StepsOfPlay> plays) {
        var steps = plays.stream().flatMap(play -> play.steps().stream()).toList();
        var recorded = recorder.state().current().hosts();
        var targets = new TreeMap<String, SshTarget>();
        Stream.concat(steps.stream().map(Configuration::host), steps.stream().flatMap(Waits::named))
                .distinct()
                .forEach(host -> {
                    var machine = plan.machines().get(host);
                    if (machine != null && machines.isThere(host)) {
                        targets.put(host, access.target(machine, plan.machines()));
                    } else if (machine == null && recorded.containsKey(host)) {
                        targets.put(host, access.target(host, recorded));
                    }
                });
        return List.copyOf(targets.values());
    }

    /** Records each play as it ends. */
    private final class Listener implements AnsibleRunner.Listener {
        private final Path log;
        private final Map<String, StepsOfPlay> plays = new HashMap<>();
        private final Consumer<Step> ended;
        private final List<Step> again = new ArrayList<>();
        private final AnsibleCount count = new AnsibleCount();
        private Instant begun = Instant.now();

        Listener(Playbook playbook, List<StepsOfPlay> plays, Consumer<Step> ended) {
            this.log = playbook.log();
            this.ended = ended;
            plays.forEach(play -> this.plays.put(play.name(), play));
        }

        @Override
        public void begun(Bundle.Play play) {
            begun = Instant.now();
            count.play(play.name());
            running(play)
                    .forEach(step -> events.accept(new Event.Started(
                            step.id(), host(step), (step instanceof Step.Leave ? "leave " : "") + role(step))));
        }

        @Override
        public void event(Bundle.Play play, AnsibleEvent event) {
            count.event(event);
            var task = event.task();
            if (event.event().equals("task") && task != null) {
                running(play).forEach(step -> events.accept(new Event.Progress(step.id(), host(step), task)));
            }
        }

        @Override
        public void ended(Bundle.Play play, Map<String, HostResult> results) {
            CrashPoint.pass("stage.after");
            var steps = steps(play);
            record(steps, results);
            var took = Duration.between(begun, Instant.now());
            steps.forEach(step -> end(step, result(step, results), took, play.batch() > 0));
        }

        private List<Step> steps(Bundle.Play play) {
            return Objects.requireNonNull(plays.get(play.name()), play.name()).steps();
        }

        /** Without hosts that failed in an earlier play. */
        private Stream<Step> running(Bundle.Play play) {
            return steps(play).stream().filter(outcomes::canRun);
        }

        private void end(Step step, HostResult result, Duration took, boolean rolling) {
            switch (result) {
                case HostResult.Done _ -> outcomes.end(step, host(step), Event.StepOutcome.DONE, "", took);
                case HostResult.NotTried _ -> {
                    // What it needs may have been passed over, too.
                    if (needs(step, again) || !refuses(step)) {
                        again.add(step);
                        return;
                    }
                }
                case HostResult.Failed _
                when cancel.atOnce() -> outcomes.end(step, host(step), Event.StepOutcome.CANCELLED, "", took);
                case HostResult.Failed failed -> {
                    if (rolling) {
                        stopped.add(play(step));
                    }
                    outcomes.fail(step, host(step), faults(log, step, failed), took);
                }
            }
            ended.accept(step);
        }
    }

    /** One write for all hosts of a play. */
    private void record(List<Step> steps, Map<String, HostResult> results) {
        var done = new ArrayList<Step>();
        var failed = new TreeMap<String, String>();
        for (var step : steps) {
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
                next = records.after(known(step), next);
            }
            return next;
        });
        recorder.failed(failed);
    }

    private static HostResult result(Step step, Map<String, HostResult> results) {
        return results.getOrDefault(host(step), new HostResult.Failed("", "", "Ansible did not say", false));
    }

    /** The role's own diagnostics, else Ansible's words. */
    private List<Diagnostic> faults(Path log, Step step, HostResult.Failed failed) {
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

    static String role(Step step) {
        return switch (step) {
            case Step.OfRole role -> role.role();
            case Step.Leave leave -> leave.role();
            case Step.OfResource _ -> "";
        };
    }
}
