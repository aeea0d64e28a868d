package io.deepsite.operations;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.plan.Consent;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** One change of a site's elastic machines: a plan of the whole site, and its apply. */
final class ElasticChange {
    private final SiteContext context;
    private final ElasticMachines machines;
    private final SortedSet<String> target;

    /** @param target the elastic machines that the site is to have */
    ElasticChange(SiteContext context, ElasticMachines machines, SortedSet<String> target) {
        this.context = context;
        this.machines = machines;
        this.target = target;
    }

    /** @param failed gets those of the target that could not be made, and why; empty where what they need failed */
    RunResult run(SortedMap<String, String> failed, Cancel cancel) {
        var plan = new PlanOperation(context).plan(target);
        var options = new ApplyOptions(allowed(plan), Optional.empty(), Optional.empty());
        var roles = plan.steps().stream()
                .filter(Step.OfRole.class::isInstance)
                .map(Step::id)
                .collect(Collectors.toSet());
        return new ApplyOperation(context, plan, options, event -> note(event, roles, failed), cancel)
                .withoutProof()
                .run();
    }

    /** Elastic machines come and go by themselves; what else the site's plan asks consent for is an administrator's. */
    private Set<Consent> allowed(Plan plan) {
        boolean onlyElastic = plan.steps().stream()
                .filter(step -> !step.consents().isEmpty())
                .allMatch(step -> machines.contains(host(step)));
        return onlyElastic ? EnumSet.of(Consent.DRAIN, Consent.WIPE) : Set.of();
    }

    private static String host(Step step) {
        return switch (step) {
            case Step.OfRole role -> role.host();
            case Step.Leave leave -> leave.host();
            case Step.OfResource resource ->
                resource.isMachine()
                        ? resource.desired()
                                .map(desired -> desired.id().key())
                                .orElseGet(
                                        () -> resource.seen().orElseThrow().id().key())
                        : "";
        };
    }

    private void note(Event event, Set<String> roles, SortedMap<String, String> failed) {
        if (event instanceof Event.Ended ended
                && target.contains(ended.subject())
                && (ended.outcome() == Event.StepOutcome.FAILED || ended.outcome() == Event.StepOutcome.BLOCKED)) {
            boolean made = roles.contains(ended.step()) && !ended.message().isEmpty();
            var why = (made ? "It could not be configured: " : "") + ended.message();
            synchronized (failed) {
                failed.merge(ended.subject(), why, (before, more) -> before.isEmpty() ? more : before);
            }
        }
    }
}
