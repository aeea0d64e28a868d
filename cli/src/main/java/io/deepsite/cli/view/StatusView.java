package io.deepsite.cli.view;

import io.deepsite.lease.Enforcement;
import io.deepsite.operations.StatusReport;
import io.deepsite.state.Outcome;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The status of a site. */
public final class StatusView {
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
            status.others().forEach(other -> lines.add(2, other));
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
            status.interrupted().forEach(step -> lines.add(2, step));
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
        var rows = new Columns();
        status.machines().stream()
                .sorted((one, other) -> HostNames.compare(one.name(), other.name()))
                .forEach(machine -> rows.row(
                        machine.name(), machine.condition(), machine.address(), String.join(", ", machine.roles())));
        lines.gap().add(0, style.bold("Machines")).append(rows.text(2));
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
                            + (latest == null ? "" : "; may be extended until " + LeaseWords.time(latest)));
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
