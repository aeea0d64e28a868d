package io.deepsite.cli.view;

import io.deepsite.operations.StatusReport;
import io.deepsite.state.Outcome;
import java.time.Instant;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The status of a site as metrics, in the text format that Prometheus reads and node-exporter collects from files.
 *
 * <p>Source: Prometheus, "Exposition formats", text-based format 0.0.4
 */
public final class StatusMetrics {
    private final StringBuilder text = new StringBuilder();
    private final String site;

    private StatusMetrics(String site) {
        this.site = site;
    }

    /** Times are seconds since 1970. What is not there, such as a lease, has no metric. */
    public static String text(StatusReport status) {
        var metrics = new StatusMetrics(status.site());
        var conditions = new TreeMap<>(status.machines().stream()
                .collect(Collectors.groupingBy(StatusReport.MachineRow::condition, Collectors.counting())));
        metrics.describe("machines", "Machines by condition.");
        // A series that ends when nothing is ready any more would end its alerts, too.
        conditions.putIfAbsent("ready", 0L);
        conditions.forEach((condition, count) -> metrics.value("machines", ",condition=\"" + condition + "\"", count));
        status.apply().ifPresent(apply -> metrics.outcome("apply", apply.outcome(), apply.at()));
        status.verify().ifPresent(verify -> metrics.outcome("verify", verify.outcome(), verify.at()));
        status.lease().ifPresent(lease -> {
            metrics.describe("lease_end_timestamp_seconds", "When the lease of the site ends.");
            metrics.value("lease_end_timestamp_seconds", "", lease.ends().getEpochSecond());
        });
        metrics.describe("interrupted_steps", "Steps that an earlier run began and did not end.");
        metrics.value("interrupted_steps", "", status.interrupted().size());
        return metrics.text.toString();
    }

    private void outcome(String operation, Outcome outcome, Instant at) {
        describe(operation + "_passed", "Whether the last " + operation + " passed.");
        value(operation + "_passed", "", outcome == Outcome.PASSED ? 1 : 0);
        describe(operation + "_timestamp_seconds", "When the last " + operation + " ended.");
        value(operation + "_timestamp_seconds", "", at.getEpochSecond());
    }

    private void describe(String name, String help) {
        text.append("# HELP deepsite_site_")
                .append(name)
                .append(' ')
                .append(help)
                .append('\n');
        text.append("# TYPE deepsite_site_").append(name).append(" gauge\n");
    }

    private void value(String name, String labels, long value) {
        text.append("deepsite_site_")
                .append(name)
                .append("{site=\"")
                .append(site)
                .append('"')
                .append(labels)
                .append("} ")
                .append(value)
                .append('\n');
    }
}
