package io.deepsite.operations;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.ResourceId;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateRecorder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Takes hosts out of the state that deepsite did not make and that are gone for good: no provider can tell that they
 * are, and a plan that shall undo what was applied there waits for their answer. Likewise what was made at a back-end that
 * is gone for good.
 */
public final class StateRemoval {
    private final SiteContext context;

    public StateRemoval(SiteContext context) {
        this.context = context;
    }

    /**
     * @return a warning for each: what deepsite no longer undoes
     * @throws Failure HOST_NOT_RECORDED, HOST_MADE: then nothing is forgotten
     */
    public List<Diagnostic> forget(Collection<String> hosts) {
        try (var lock = context.lock().acquire("state rm")) {
            var state = context.state();
            var warnings = warnings(state, hosts);
            new StateRecorder(context.store(), lock, state).record(now -> without(now, hosts));
            return warnings;
        }
    }

    /**
     * All resources at another back-end than the one that the site uses from now on.
     *
     * @return ids of resources and names of hosts
     * @throws Failure HOST_MADE where the recorded back-end is the one that answers
     */
    public List<String> forgetElsewhere() {
        try (var lock = context.lock().acquire("state rm")) {
            var state = context.state();
            var now = context.surveyAnywhere().backEnd();
            if (!RecordedBackEnd.isAnother(state, context.site().provider().provider(), now)) {
                throw new Failure(Diagnostic.error(
                        Code.HOST_MADE,
                        "site.yaml points to " + now.words()
                                + ", the only back-end that the state records. Removed from the state, the resources"
                                + " there would become orphans. Nothing was changed.",
                        "To remove the site, destroy it:",
                        "deepsite destroy"));
            }
            var forgotten = new ArrayList<>(state.resources().keySet());
            state.hosts().keySet().stream()
                    .filter(host -> !forgotten.contains(new ResourceId(ResourceId.MACHINE, host).toString()))
                    .forEach(forgotten::add);
            new StateRecorder(context.store(), lock, state).record(StateRemoval::ofNothing);
            return forgotten;
        }
    }

    private static SiteState ofNothing(SiteState state) {
        var next = without(state, List.copyOf(state.hosts().keySet()));
        for (var id : state.resources().keySet()) {
            next = next.withoutResource(id);
        }
        return RecordedBackEnd.left(next).withLease(null).withVerify(null);
    }

    static SiteState without(SiteState state, Collection<String> hosts) {
        var next = state;
        for (var host : hosts) {
            next = next.withoutHost(host);
        }
        return next;
    }

    /** @throws Failure with every host that cannot be forgotten */
    static List<Diagnostic> warnings(SiteState state, Collection<String> hosts) {
        var faults = new ArrayList<Diagnostic>();
        var warnings = new ArrayList<Diagnostic>();
        for (var host : hosts) {
            var recorded = state.hosts().get(host);
            if (recorded == null) {
                faults.add(Diagnostic.error(
                        Code.HOST_NOT_RECORDED,
                        "The state records no host \"" + host + "\"; it records: "
                                + (state.hosts().isEmpty()
                                        ? "none"
                                        : String.join(", ", state.hosts().keySet()))
                                + ".",
                        "Name one of them."));
            } else if (state.resources().containsKey(new ResourceId(ResourceId.MACHINE, host).toString())) {
                faults.add(Diagnostic.error(
                        Code.HOST_MADE,
                        "The back-end knows what became of " + host
                                + ": a plan sees by itself when it is gone. Forgotten, it would be an orphan.",
                        "Remove it from site.yaml and apply, or let the next apply recreate it:",
                        "deepsite plan"));
            } else {
                var roles = String.join(", ", recorded.roles().keySet());
                warnings.add(Diagnostic.warning(
                        Code.HOST_FORGOTTEN,
                        null,
                        host + " (" + recorded.address() + ")"
                                + (roles.isEmpty() ? " had no role." : " had the roles " + roles + ".")
                                + " Nothing takes them away there any more, should it come back.",
                        "While the inventory names it, the next apply configures it as a new host."));
            }
        }
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        return warnings;
    }
}
