package io.deepsite.cli.view;

import io.deepsite.lease.Enforcement;
import io.deepsite.operations.StatusReport;
import io.deepsite.state.Outcome;
import io.deepsite.text.Elapsed;
import io.deepsite.text.HostNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The status of a site. */
public final class StatusView {
    /** Machines fit on a screen up to this number. */
    private static final int MANY = 40;

    private final Style style;
    private final Instant now;

    public StatusView(Style style, Instant now) {
        this.style = style;
        this.now = now;
    }

    /** Ends with a line break. */
    public String text(StatusReport status) {
        var lines = new Lines();
        lines.add(0, style.bold("Site " + status.site()) + " on " + status.provider());
        status.backend().forEach(line -> lines.add(2, line));
        machines(lines, status);
        if (!status.others().isEmpty()) {
            lines.gap().add(0, style.bold("Also on the back-end"));
            some(lines, status.others());
        }
        lines.gap().append(facts(status));
        status.lock().ifPresent(lock -> lines.gap().add(0, style.yellow("Locked") + ": " + lock.describe() + "."));
        if (!status.interrupted().isEmpty()) {
            lines.gap()
                    .add(
                            0,
                            style.yellow("Interrupted")
                                    + ": an earlier run started these steps and did not finish them."
                                    + " The next apply does.");
            some(lines, status.interrupted());
        }
        return lines.toString();
    }

    /** For programs: times as ISO 8601. */
    public static Map<String, Object> json(StatusReport status, Instant now) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("site", status.site());
        fields.put("provider", status.provider());
        fields.put("backend", status.backend());
        fields.put("machines", status.machines());
        fields.put("others", status.others());
        status.apply().ifPresent(apply -> fields.put("apply", apply));
        status.verify().ifPresent(verify -> fields.put("verify", verify));
        status.lease().ifPresent(lease -> {
            fields.put("lease", lease);
            fields.put("leaseSecondsLeft", lease.ends().getEpochSecond() - now.getEpochSecond());
        });
        status.enforcedBy().ifPresent(by -> fields.put("leaseEnforcedBy", by.text()));
        status.lock().ifPresent(lock -> fields.put("lock", lock));
        fields.put("interrupted", status.interrupted());
        return fields;
    }

    private void machines(Lines lines, StatusReport status) {
        if (status.machines().isEmpty()) {
            lines.gap().add(0, "No machines yet.");
            return;
        }
        var machines = status.machines().stream()
                .sorted((one, other) -> HostNames.compare(one.name(), other.name()))
                .toList();
        boolean many = machines.size() > MANY;
        var rows = new Columns();
        groups(machines, many)
                .forEach(group -> rows.row(
                        HostNames.brief(group.stream()
                                .map(StatusReport.MachineRow::name)
                                .toList()),
                        group.getFirst().condition(),
                        addresses(group),
                        String.join(", ", group.getFirst().roles())));
        lines.gap()
                .add(0, style.bold("Machines") + (many ? "  " + counts(machines) : ""))
                .append(rows.text(2));
    }

    /** Each machine, or those of many that differ in name and address only. */
    private static Collection<List<StatusReport.MachineRow>> groups(
            List<StatusReport.MachineRow> machines, boolean many) {
        var groups = new LinkedHashMap<List<Object>, List<StatusReport.MachineRow>>();
        machines.forEach(machine -> groups.computeIfAbsent(
                        many ? List.of(machine.condition(), machine.roles()) : List.of(machine.name()),
                        _ -> new ArrayList<>())
                .add(machine));
        return groups.values();
    }

    private static String addresses(List<StatusReport.MachineRow> group) {
        var first = group.getFirst().address();
        return group.size() == 1 ? first : first + " … " + group.getLast().address();
    }

    private static String counts(List<StatusReport.MachineRow> machines) {
        var counts = new TreeMap<String, Integer>();
        machines.forEach(machine -> counts.merge(machine.condition(), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(count -> count.getValue() + " " + count.getKey())
                .collect(Collectors.joining(", "));
    }

    private static void some(Lines lines, List<String> all) {
        all.stream().limit(MANY).forEach(one -> lines.add(2, one));
        if (all.size() > MANY) {
            lines.add(2, "… and " + (all.size() - MANY) + " more");
        }
    }

    private String facts(StatusReport status) {
        var rows = new Columns();
        status.apply()
                .ifPresent(apply -> rows.row(
                        "Last apply",
                        word(apply.outcome()) + " " + Elapsed.ago(apply.at(), now) + " (" + apply.run() + ")"));
        rows.row(
                "Last verify",
                status.verify()
                        .map(verify -> word(verify.outcome()) + " " + Elapsed.ago(verify.at(), now))
                        .orElseGet(() -> status.apply().isPresent() ? "none since the last change" : "never"));
        status.lease().ifPresent(lease -> {
            var latest = lease.latest();
            rows.row(
                    "Lease",
                    "ends " + LeaseWords.ends(lease, now)
                            + (latest == null ? "" : "; may be extended until " + Elapsed.utc(latest)));
            rows.row(
                    "",
                    "enforced by "
                            + status.enforcedBy().map(Enforcement.By::text).orElse("none"));
        });
        return rows.text(0);
    }

    private static String word(Outcome outcome) {
        return switch (outcome) {
            case PASSED -> "passed";
            case FAILED -> "failed";
        };
    }
}
