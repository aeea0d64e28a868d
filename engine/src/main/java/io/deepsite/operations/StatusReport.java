package io.deepsite.operations;

import io.deepsite.lease.Enforcement;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.state.LockRecord;
import io.deepsite.state.RecordedApply;
import io.deepsite.state.RecordedLease;
import io.deepsite.state.RecordedVerify;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a site, without what is inside the hosts.
 *
 * @param backend lines that the provider says of itself
 * @param others resources that are no machine: id and name
 * @param interrupted steps that an earlier run began and did not end
 * @param enforcedBy who ends the site at the end of its lease; empty without a lease
 */
public record StatusReport(
        String site,
        String provider,
        List<String> backend,
        List<MachineRow> machines,
        List<String> others,
        Optional<RecordedApply> apply,
        Optional<RecordedVerify> verify,
        Optional<RecordedLease> lease,
        Optional<Enforcement.By> enforcedBy,
        Optional<LockRecord> lock,
        List<String> interrupted) {

    /**
     * @param condition of the back-end: ready, stopped, half made, gone; never answered since it was made; existing for a host that deepsite did not make
     * @param roles applied to it
     */
    public record MachineRow(String name, String address, String condition, List<String> roles) {}

    static StatusReport of(SiteContext context) {
        var state = context.state();
        var survey = RecordedBackEnd.survey(context, state);
        var seen = new TreeMap<String, ObservedResource>();
        survey.owned().stream()
                .filter(resource -> resource.id().kind().equals(ResourceId.MACHINE))
                .forEach(resource -> seen.put(resource.id().key(), resource));
        var names = new TreeSet<>(state.hosts().keySet());
        names.addAll(seen.keySet());
        var rows = new ArrayList<MachineRow>();
        for (var name : names) {
            var recorded = state.hosts().get(name);
            boolean made = state.resources().containsKey(new ResourceId(ResourceId.MACHINE, name).toString());
            rows.add(new MachineRow(
                    name,
                    recorded == null ? "" : recorded.address(),
                    recorded != null && recorded.awaited() ? "never answered" : condition(seen.get(name), made),
                    recorded == null ? List.of() : List.copyOf(recorded.roles().keySet())));
        }
        var lease = Optional.ofNullable(state.lease());
        return new StatusReport(
                context.site().name().value(),
                context.site().provider().provider(),
                survey.describe(),
                rows,
                survey.owned().stream()
                        .filter(resource -> !resource.id().kind().equals(ResourceId.MACHINE))
                        .map(resource -> resource.id().kind() + " " + resource.name())
                        .toList(),
                Optional.ofNullable(state.apply()),
                Optional.ofNullable(state.verify()),
                lease,
                lease.map(_ -> LeaseKeeping.by(context)),
                context.lock().holder(),
                context.records().openIntents().stream()
                        .map(entry -> entry.step())
                        .toList());
    }

    private static String condition(@Nullable ObservedResource seen, boolean made) {
        if (seen == null) {
            return made ? "gone" : "existing";
        }
        return switch (seen.condition()) {
            case READY -> "ready";
            case STOPPED -> "stopped";
            case HALF_MADE -> "half made";
        };
    }
}
