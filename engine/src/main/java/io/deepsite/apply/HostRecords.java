package io.deepsite.apply;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.plan.FormerUsers;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.render.ContractJson;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedRole;
import io.deepsite.state.SiteState;
import java.util.List;
import java.util.Optional;

/** What the state records of roles on hosts. */
record HostRecords(Plan plan, Access access) {

    /** The state after a step inside a host was done. */
    SiteState after(Step step, SiteState state) {
        var host = state.hosts().get(Configuration.host(step));
        if (step instanceof Step.Leave leave) {
            return host == null ? state : left(leave, state, host);
        }
        if (!(step instanceof Step.OfRole role)) {
            throw new IllegalArgumentException(step.id() + " is not inside a host");
        }
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
}
