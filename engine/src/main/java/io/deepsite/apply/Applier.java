package io.deepsite.apply;

import io.deepsite.ansible.Ansible;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Change;
import io.deepsite.plan.Consent;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.remote.HostProbe;
import io.deepsite.remote.Readiness;
import io.deepsite.site.Name;
import io.deepsite.state.Journal;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedApply;
import io.deepsite.state.RecordedLease;
import io.deepsite.state.Runs;
import io.deepsite.state.SecretStore;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateRecorder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a plan, and nothing else: generates secrets, creates and changes machines (drains those to be replaced first),
 * resolves the plan, removes and applies roles, then deletes resources that are no longer wanted.
 */
public final class Applier {
    private final Plan plan;
    private final Provider provider;
    private final SecretStore secrets;
    private final RunRecorder recorder;
    private final Access access;
    private final Readiness readiness;
    private final HostAccess hosts;
    private final RunControl control;
    private final Ansible ansible;
    private final InstantSource clock;
    private final Consumer<Event> events;
    private final Cancel cancel;

    /**
     * The way to the hosts of a site.
     *
     * @param bundles with which Ansible configures them
     */
    public record HostAccess(Access access, Readiness readiness, HostProbe probe, Bundles bundles) {}

    /** One run: what it writes down, whom it informs, and what ends it early. */
    public record RunControl(
            StateRecorder state, Journal journal, Runs.Run folder, Consumer<Event> events, Cancel cancel) {}

    public Applier(
            Plan plan,
            Provider provider,
            SecretStore secrets,
            HostAccess hosts,
            RunControl run,
            Ansible ansible,
            InstantSource clock) {
        this.plan = plan;
        this.provider = provider;
        this.secrets = secrets;
        this.recorder = new RunRecorder(run.state(), run.journal(), run.folder().id());
        this.access = hosts.access();
        this.readiness = hosts.readiness();
        this.hosts = hosts;
        this.control = run;
        this.ansible = ansible;
        this.clock = clock;
        this.events = run.events();
        this.cancel = run.cancel();
    }

    /** Refuses a plan that may not run, before anything is changed. */
    public static void admit(Plan plan, SiteState state, ApplyOptions options) {
        if (!plan.site().equals(state.site())) {
            throw new Failure(Diagnostic.error(
                    Code.STALE_PLAN,
                    "It is a plan of the site " + plan.site() + "; this is " + state.site() + ". Nothing was touched.",
                    "Name the site.yaml that it was made from, or make a plan of this one:",
                    "deepsite plan"));
        }
        boolean known = state.serial() > 0;
        if (plan.serial() != state.serial() || (known && !plan.lineage().equals(state.lineage()))) {
            throw new Failure(Diagnostic.error(
                    Code.STALE_PLAN,
                    stale(plan, state) + " Nothing was touched.",
                    "Make the plan again:",
                    "deepsite plan"));
        }
        var missing = new TreeSet<>(plan.consents());
        missing.removeAll(options.allowed());
        if (!missing.isEmpty()) {
            throw Consent.refusal(plan, missing, "deepsite apply");
        }
    }

    private static String stale(Plan plan, SiteState state) {
        if (plan.serial() == 0) {
            return "It was made before anything was recorded of the site; the state is now at serial " + state.serial()
                    + ".";
        }
        return state.serial() > 0 && !plan.lineage().equals(state.lineage())
                ? "It was made from a state of another lineage: the site was destroyed and created again since."
                : "It was made from serial " + plan.serial() + " of the state, which is now at serial " + state.serial()
                        + ".";
    }

    public ApplyResult apply(ApplyOptions options) {
        Limits.check(plan, options);
        var begun = clock.instant();
        var inside = Limits.admitted(plan, options);
        var outcomes = new Outcomes(ofThisRun(inside), plan.barriers(), events);
        var configuration = new Configuration(plan, hosts, secrets, recorder, control, outcomes, ansible);
        if (!inside.isEmpty()) {
            configuration.check();
        }
        recorder.state().record(state -> begin(state, begun));
        makeSecrets();
        var lease = Optional.ofNullable(recorder.state().current().lease()).map(Retags::tag);
        plan.silent().values().forEach(outcomes::failAll);
        retag(new Retags(provider, lease), outcomes);
        var resources = new ResourceRun(
                provider,
                new Tags(
                        new Name(plan.site()),
                        recorder.state().current().lineage(),
                        lease,
                        recorder.state().fence()),
                recorder,
                plan.machines(),
                access,
                options.machinesOnly() ? Optional.empty() : Optional.of(readiness),
                Optional.of(new OwnHostKey(access, readiness, recorder))
                        .filter(_ -> provider.capabilities().bootReadable()),
                outcomes,
                events,
                cancel);
        var made = resourceSteps(false);
        dispatch(
                phase(made, inside),
                Stream.concat(made.stream(), inside.stream()).toList(),
                resources,
                configuration);
        configuration.keep();
        if (plan.secrets().stream().anyMatch(secret -> secret.change() == Change.UPDATE)) {
            recorder.state().record(state -> state.withSecrets(fingerprints(outcomes::isDone)));
        }
        dispatch("Removal", resourceSteps(true), resources, configuration);
        return result(options, outcomes, begun);
    }

    /** Drops records of deleted resources, and of the last acceptance: it does not apply to a changed site. */
    private SiteState begin(SiteState state, Instant now) {
        var next = plan.isEmpty() ? state : state.withVerify(null);
        for (var id : plan.gone()) {
            next = next.withoutResource(id.toString());
            next = id.kind().equals(ResourceId.MACHINE) ? next.withoutHost(id.key()) : next;
        }
        return next.withLease(lease(next, now)).withToolVersion(plan.tool());
    }

    private Set<String> ofThisRun(List<Step> inside) {
        return Stream.concat(inside.stream(), plan.steps().stream().filter(Step.OfResource.class::isInstance))
                .map(Step::id)
                .collect(Collectors.toSet());
    }

    private static String phase(List<Step> resources, List<Step> inside) {
        return resources.isEmpty() ? "Configuration" : inside.isEmpty() ? "Machines" : "Machines and configuration";
    }

    private void dispatch(String phase, List<Step> steps, ResourceRun resources, Configuration configuration) {
        if (steps.isEmpty()) {
            return;
        }
        events.accept(new Event.Phase(phase, steps.size()));
        new Dispatcher(plan, steps, new Waits(plan, steps), ansible.nodes(), new Dispatcher.Work() {
                    @Override
                    public boolean refuses(Step step) {
                        return configuration.refuses(step);
                    }

                    @Override
                    public void call(Step.OfResource step) {
                        resources.run(step);
                    }

                    @Override
                    public List<Step> play(int number, List<StepsOfPlay> plays, Consumer<Step> ended) {
                        return configuration.run(number, plays, ended);
                    }
                })
                .run();
    }

    private List<Step> resourceSteps(boolean deletes) {
        return plan.steps().stream()
                .filter(step -> step instanceof Step.OfResource && isRemoval(step) == deletes)
                .toList();
    }

    private static boolean isRemoval(Step step) {
        return step.change() == Change.DELETE || step.change() == Change.RELEASE;
    }

    /** All at once: the vault is one file, rewritten as a whole. */
    private void makeSecrets() {
        var wanted = Access.hostKeys(machinesToMake());
        plan.secrets().stream()
                .filter(secret -> secret.change() == Change.CREATE)
                .forEach(secret -> wanted.put(secret.name(), SecretNames.kind(secret.name())));
        wanted.keySet().removeAll(secrets.names());
        if (!wanted.isEmpty()) {
            recorder.intent("secrets", Map.of("names", String.join(" ", wanted.keySet())));
            secrets.ensure(wanted);
            recorder.done("secrets", state -> state.withSecrets(fingerprints(_ -> false)));
        } else if (!recorder.state().current().secrets().keySet().containsAll(secrets.names())) {
            // A run was killed between generating and recording them. Unrecorded, a later rotation would not appear in
            // a plan.
            recorder.state().record(state -> state.withSecrets(fingerprints(_ -> false)));
        }
    }

    private List<String> machinesToMake() {
        return plan.steps().stream()
                .filter(step -> step.change() == Change.CREATE || step.change() == Change.REPLACE)
                .filter(step -> step instanceof Step.OfResource resource && resource.isMachine())
                .map(Configuration::host)
                .toList();
    }

    /** For a rotated secret the state keeps the old fingerprint until the last host has the new value. */
    private SortedMap<String, String> fingerprints(Predicate<Step> done) {
        var fingerprints = new TreeMap<>(secrets.fingerprints());
        var recorded = recorder.state().current().secrets();
        plan.secrets().stream()
                .filter(secret -> secret.change() == Change.UPDATE)
                .map(Plan.SecretChange::name)
                .filter(name -> !plan.bearers(name).stream().allMatch(done))
                .forEach(name -> fingerprints.put(name, recorded.getOrDefault(name, "")));
        return fingerprints;
    }

    private void retag(Retags retags, Outcomes outcomes) {
        for (var resource : plan.retags()) {
            var step = "lease:" + resource.id();
            recorder.intent(step, Map.of());
            var faults = retags.write(resource);
            if (faults.isEmpty()) {
                recorder.done(step, state -> state);
            } else {
                recorder.failed(step, faults.getFirst().code().id());
                outcomes.failAll(faults);
            }
        }
    }

    /**
     * A lease starts at the first apply that has one; later ones neither extend nor shorten it. An empty site starts a
     * new one; a site that is being destroyed keeps its end until it is gone.
     */
    private @Nullable RecordedLease lease(SiteState state, Instant now) {
        var recorded = state.lease();
        if (plan.leaseSeconds().isEmpty()) {
            return plan.machines().isEmpty() ? recorded : null;
        }
        boolean stands = !state.resources().isEmpty()
                || plan.steps().stream()
                        .anyMatch(step -> step instanceof Step.OfResource resource
                                && resource.seen().isPresent());
        return recorded != null && stands
                ? recorded
                : new RecordedLease(
                        now,
                        now.plusSeconds(plan.leaseSeconds().get()),
                        plan.leaseMaxSeconds().map(now::plusSeconds).orElse(null));
    }

    private ApplyResult result(ApplyOptions options, Outcomes outcomes, Instant begun) {
        boolean green = outcomes.allDone();
        var exit = cancel.asked()
                ? ExitCode.CANCELLED
                : !green ? ExitCode.FAILED : options.limited() ? ExitCode.CHANGES_PENDING : ExitCode.DONE;
        var ended = clock.instant();
        recorder.state()
                .record(state -> state.withApply(
                        new RecordedApply(recorder.run(), green ? Outcome.PASSED : Outcome.FAILED, ended)));
        return new ApplyResult(
                exit,
                outcomes.count(Event.StepOutcome.DONE),
                outcomes.count(Event.StepOutcome.FAILED) + plan.silent().size(),
                outcomes.count(Event.StepOutcome.BLOCKED),
                outcomes.diagnostics(),
                Duration.between(begun, ended));
    }
}
