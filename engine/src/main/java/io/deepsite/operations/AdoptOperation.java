package io.deepsite.operations;

import io.deepsite.apply.Access;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Twins;
import io.deepsite.provider.Call;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.site.LeaseTerms;
import io.deepsite.state.RecordedLease;
import io.deepsite.state.RecordedResource;
import io.deepsite.state.SiteLock;
import io.deepsite.state.SiteState;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Rebuilds a lost state from the tags of the back-end, and makes the machines reachable again: the keys were lost with the
 * state, so new ones are placed through the back-end. Roles and secrets are not recorded any more; the next plan shows
 * what of them differs, with new secrets.
 */
public final class AdoptOperation {
    private final SiteContext context;

    public AdoptOperation(SiteContext context) {
        this.context = context;
    }

    /** @return the names of the machines taken over */
    public List<String> adopt() {
        try (var lock = context.lock().acquire("adopt")) {
            // The tags at the back-end say which site owns a resource, wherever that site was applied before.
            var survey = context.surveyAnywhere();
            var lineage = lineage(survey.owned());
            var recorded = context.store().read();
            refuseOther(recorded, lineage);
            var base = base(recorded, lineage);
            Twins.refuseToAdopt(survey.owned(), base);
            // Recorded first: nothing refuses it once keys are touched, and where one cannot be placed, the site can at
            // least be destroyed, or be adopted again.
            var known = begin(base, survey);
            var adopted = context.store().write(machines(known, survey, lock));
            return List.copyOf(adopted.hosts().keySet());
        }
    }

    private void refuseOther(Optional<SiteState> recorded, String lineage) {
        if (recorded.isPresent()
                && !recorded.get().isEmpty()
                && !recorded.get().lineage().equals(lineage)) {
            throw new Failure(Diagnostic.error(
                    Code.FOREIGN_LINEAGE,
                    "The state in " + context.folder().path()
                            + " records another site of this name, which still has "
                            + "resources. Nothing was changed.",
                    "Move that folder away if its site is gone, or use a folder of its own for this site."));
        }
    }

    /** The state that shall know them; of one that records nothing any more only the folder is left. */
    private SiteState base(Optional<SiteState> recorded, String lineage) {
        return recorded.filter(state -> state.lineage().equals(lineage))
                .orElseGet(() -> SiteState.fresh(
                                context.site().name().value(), context.runtime().tool())
                        .withLineage(lineage));
    }

    private SiteState begin(SiteState base, Survey survey) {
        var known = resources(base, survey.owned()).withProvider(RecordedBackEnd.of(context, survey.backEnd()));
        return base.serial() > 0
                ? context.store().write(known)
                : context.store().supersede(known);
    }

    private static String lineage(List<ObservedResource> owned) {
        var lineages = owned.stream()
                .map(resource -> resource.tags().lineage())
                .distinct()
                .toList();
        if (lineages.size() != 1) {
            throw new Failure(Diagnostic.error(
                    Code.NOTHING_TO_ADOPT,
                    lineages.isEmpty()
                            ? "The back-end holds nothing that carries the name of this site."
                            : "The back-end holds things of " + lineages.size() + " sites of this name: "
                                    + owned.stream()
                                            .map(resource -> resource.id() + " of "
                                                    + resource.tags().lineage())
                                            .collect(Collectors.joining(", "))
                                    + ".",
                    lineages.isEmpty()
                            ? "Apply makes it."
                            : "List what belongs to which site, and delete the leftovers:",
                    lineages.isEmpty() ? "deepsite apply" : "deepsite gc"));
        }
        return lineages.getFirst();
    }

    private SiteState resources(SiteState state, List<ObservedResource> owned) {
        var next = state;
        for (var resource : owned) {
            next = next.withResource(
                    resource.id().toString(),
                    new RecordedResource(
                            resource.id().kind(), resource.name(), new TreeMap<>(resource.attributes()), List.of()));
        }
        return owned.stream()
                .flatMap(resource -> resource.tags().lease().stream())
                .max(Comparator.comparing(Tags.Lease::ends))
                .map(tag -> state.lease() == null ? lease(context.site().lease(), tag) : state.lease())
                .map(next::withLease)
                .orElse(next);
    }

    /**
     * The tags of deepsite 0.1 tell the end only. A lease that was never extended began its duration before that; one that
     * was began earlier, so its limit comes out later than it was, by as much as it was extended.
     */
    static RecordedLease lease(Optional<LeaseTerms> terms, Tags.Lease tag) {
        var ends = tag.ends();
        var since = tag.since()
                .filter(begin -> !begin.isAfter(ends))
                .or(() -> terms.map(asked -> ends.minus(asked.duration().duration())))
                .orElse(RecordedLease.UNKNOWN);
        var latest = terms.flatMap(LeaseTerms::max)
                .map(most -> since.plus(most.duration()))
                // A limit that site.yaml lowered meanwhile takes nothing away that was granted.
                .map(limit -> limit.isBefore(ends) ? ends : limit);
        return new RecordedLease(since, ends, latest.orElse(null));
    }

    private SiteState machines(SiteState state, Survey survey, SiteLock.HeldLock lock) {
        var machines = new LinkedHashMap<Machine, ObservedResource>();
        var design = DesiredStateBuilder.on(context, survey).design();
        for (var machine : design.machines()) {
            survey.owned().stream()
                    .filter(resource -> machine.resource().equals(Optional.of(resource.id())))
                    .findFirst()
                    .ifPresent(resource -> machines.put(machine, resource));
        }
        // Before keys are made: afterwards the vault knows them all.
        var locked = machines.keySet().stream()
                .filter(machine -> !context.access().knows(machine.name())
                        || !state.hosts().containsKey(machine.name()))
                .toList();
        context.secrets()
                .ensure(Access.hostKeys(locked.stream().map(Machine::name).toList()));
        var next = state;
        // A machine that would be unreachable afterwards is refused here, before its keys change.
        for (var machine : machines.keySet()) {
            next = reachable(next, machine, design.byName());
        }
        for (var machine : locked) {
            lock.requireHeld();
            context.provider()
                    .place(
                            Objects.requireNonNull(machines.get(machine)),
                            context.access().placed(machine.name()),
                            Call.QUIET);
        }
        return next;
    }

    private SiteState reachable(SiteState state, Machine machine, Map<String, Machine> site) {
        var host = context.access().recorded(machine, site);
        var before = state.hosts().get(machine.name());
        // As after any other first login, it still has to make a host key of its own.
        boolean awaited = context.provider().capabilities().bootReadable()
                && !context.access().hasOwnKey(machine.name());
        return state.withHost(machine.name(), (before == null ? host : host.configuredAs(before)).withAwaited(awaited));
    }
}
