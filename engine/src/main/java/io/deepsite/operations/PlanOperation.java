package io.deepsite.operations;

import io.deepsite.apply.UnknownResolvers;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Contents;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.plan.Consent;
import io.deepsite.plan.Desired;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Planner;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Survey;
import io.deepsite.state.SiteState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What an apply, or a destroy, of a site would do now. Changes nothing. */
public final class PlanOperation {
    private final SiteContext context;

    public PlanOperation(SiteContext context) {
        this.context = context;
    }

    /** As {@link #plan(boolean, Set)}; machines keep the images they were made from. */
    public Plan plan() {
        return plan(false, Set.of());
    }

    /**
     * Looks at the provider and at every host, changes nothing.
     *
     * @param refreshImages machines of an image whose name means another one now are replaced
     * @param allowed consents that shape the plan: with REMOVE_PACKAGES roles are left with their packages
     */
    public Plan plan(boolean refreshImages, Set<Consent> allowed) {
        return plan(refreshImages, allowed, context::compile);
    }

    /** As {@link #plan()}, with these elastic machines and no others. */
    Plan plan(SortedSet<String> elastic) {
        return plan(false, Set.of(), survey -> context.compile(survey, elastic));
    }

    private Plan plan(boolean refreshImages, Set<Consent> allowed, Function<Survey, Design> compiler) {
        awaitOrphanedRun();
        var kinds = context.runtime().kinds();
        FirstRun.refuseFaults(context.site(), context.file(), context.runtime());
        context.loaded().diagnostics().stream()
                .filter(diagnostic -> diagnostic.severity() == Diagnostic.Severity.NOTE)
                .forEach(context.runtime().notices());
        var kept = context.keptRendering();
        var state = context.state();
        ImmutableKeys.refuseChanges(kinds, context.loaded(), state);
        ImportedUids.refuseOthers(context.loaded(), state);
        if (state.hosts().isEmpty()) {
            // Else the first one to notice would be the first machine, when it is made already.
            context.access()
                    .jumpHost()
                    .ifPresent(jump -> context.remote().open(jump).close());
        }
        try (var inspector = context.prefetching(state)) {
            var survey = context.survey(state);
            if (!refreshImages) {
                survey.movedImages(context.site()).forEach(this::tellMoved);
            }
            var current = refreshImages ? survey.withImagesOfNow() : survey;
            var measured = inspector.measured(compiler.apply(current), state);
            var desired = DesiredStateBuilder.of(context, state).from(measured.design(), kept);
            return plan(
                    inspector,
                    BakedImages.used(desired, current, context.runtime().home()),
                    measured.silent(),
                    survey.owned(),
                    state,
                    allowed);
        }
    }

    /**
     * The plan of a site whose machines have these stages and no others.
     *
     * @param stages none: what was applied there is left
     */
    Plan plan(Function<List<Machine>, List<Stage>> stages) {
        awaitOrphanedRun();
        var state = context.state();
        try (var inspector = context.inspector()) {
            var survey = context.survey(state);
            var desired = DesiredStateBuilder.of(context, state).from(context.compile(survey), stages);
            return plan(inspector, desired, Map.of(), survey.owned(), state, Set.of());
        }
    }

    private void tellMoved(String image) {
        context.runtime()
                .notices()
                .accept(new Diagnostic(
                        Diagnostic.Severity.NOTE,
                        Code.IMAGE_MOVED,
                        null,
                        "The image " + image + " is another one than that which machines of the site were made from."
                                + " They stay as they are.",
                        "This replaces them; what they hold is lost:",
                        List.of("deepsite apply --refresh-images --allow replace")));
    }

    /** A plan made while the play of a killed run works on would be about hosts that still change. */
    private void awaitOrphanedRun() {
        if (context.lock().isOfTheDead()) {
            context.orphanedRuns().await();
        }
    }

    /** The plan that removes the whole site; see {@link #plan(boolean, Set)}. */
    public Plan destroyPlan(Set<Consent> allowed) {
        awaitOrphanedRun();
        var nothing = new Desired(
                new Design(List.of(), List.of()), List.of(), Map.of(), List.of(), new Contents(new TreeMap<>()));
        var state = context.state();
        var owned = context.survey(state).owned();
        try (var inspector = context.inspector()) {
            return plan(inspector, nothing, Map.of(), owned, state, allowed);
        }
    }

    private Plan plan(
            HostInspector inspector,
            Desired desired,
            Map<String, List<Diagnostic>> silent,
            List<ObservedResource> owned,
            SiteState state,
            Set<Consent> allowed) {
        var site = context.site();
        Planner.refuseForeignLineage(site.name(), owned, state);
        boolean everythingGoes = desired.design().machines().isEmpty();
        // Machines that go with their whole site need no look inside.
        var results = everythingGoes && context.provider().capabilities().makesMachines()
                ? ProbeResults.NONE
                : inspector.at(desired, owned, state, silent);
        var plan = Planner.plan(new Planner.Input(
                site.name(),
                everythingGoes ? Optional.empty() : site.lease(),
                context.runtime().tool(),
                state,
                desired,
                owned,
                results.answers(),
                results.silent(),
                UnknownResolvers.of(context.secrets(), Map.of()),
                context.runtime().home().tasks(appliedRoles(state)),
                allowed.contains(Consent.REMOVE_PACKAGES)));
        if (!everythingGoes) {
            new ReviewedPlan(plan, results.answers(), context.loaded())
                    .review(context.runtime().kinds(), context.runtime().notices());
        }
        return plan;
    }

    private static Set<String> appliedRoles(SiteState state) {
        return state.hosts().values().stream()
                .flatMap(host -> host.roles().keySet().stream())
                .collect(Collectors.toSet());
    }
}
