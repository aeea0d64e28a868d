package io.deepsite.cli.view;

import io.deepsite.apply.ApplyResult;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.RunResult;
import io.deepsite.site.Site;
import io.deepsite.state.RecordedVerify;
import io.deepsite.state.SiteState;
import io.deepsite.text.Elapsed;
import io.deepsite.text.HostNames;
import io.deepsite.verify.VerifyReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** How a run ended, and what to type next. */
public final class ResultView {
    private final Style style;
    private final Site site;
    private final Instant now;
    private final UnaryOperator<String> typeable;

    /** @param typeable completes a command for this site */
    public ResultView(Style style, Site site, Instant now, UnaryOperator<String> typeable) {
        this.style = style;
        this.site = site;
        this.now = now;
        this.typeable = typeable;
    }

    /** After an apply. Ends with a line break. */
    public String applied(RunResult result, SiteState state) {
        var lines = new Lines();
        lines.add(0, steps(result, "apply"));
        result.verify()
                .ifPresent(report -> lines.gap().add(0, style.bold("Verify")).append(verify(report)));
        if (result.exit() == ExitCode.DONE
                && (result.steps().isPresent() || result.verify().isPresent())) {
            lease(lines, result, state);
        }
        if (result.exit() == ExitCode.DONE && result.steps().isPresent()) {
            next(lines, state);
        }
        if (result.exit() != ExitCode.DONE) {
            result.folder().ifPresent(folder -> lines.gap().add(0, "Logs of this run: " + folder));
        }
        return lines.toString();
    }

    /** After a destroy. */
    public String destroyed(RunResult result, SiteState state) {
        if (result.exit() == ExitCode.DONE) {
            return "Destroyed the site " + site.name() + took(result) + ".\n";
        }
        return steps(result, "destroy") + "\n";
    }

    /** The report's own table, in colour. */
    public String verify(VerifyReport report) {
        return verify(style, report);
    }

    static String verify(Style style, VerifyReport report) {
        return report.table()
                .lines()
                .map(line -> line.startsWith("failed")
                        ? style.red(line)
                        : line.startsWith("busy") ? style.yellow(line) : line)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** For programs. */
    public static Map<String, Object> json(RunResult result) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("exit", result.exit().number());
        result.steps().ifPresent(steps -> {
            fields.put("done", steps.done());
            fields.put("failed", steps.failed());
            fields.put("blocked", steps.blocked());
            fields.put("took", steps.took());
        });
        result.verify().ifPresent(report -> {
            fields.put("verified", report.green());
            fields.put("checks", report.results());
        });
        result.lastVerify().ifPresent(last -> fields.put("lastVerify", last));
        result.folder().ifPresent(folder -> fields.put("run", folder.toString()));
        result.lease().ifPresent(lease -> fields.put("leaseEnforcedBy", lease));
        return fields;
    }

    /** @param verb the command that continues */
    private String steps(RunResult result, String verb) {
        if (result.exit() == ExitCode.CANCELLED) {
            return style.yellow("Cancelled") + " after "
                    + count(result.steps().map(ApplyResult::done).orElse(0L))
                    + ". All of it is recorded. To continue:\n\n      " + typeable.apply("deepsite " + verb);
        }
        if (result.steps().isEmpty()) {
            return result.verify().isPresent()
                    ? "Nothing to change."
                    : "Nothing to change"
                            + result.lastVerify()
                                    .map(last -> "; " + lastVerify(last))
                                    .orElse("") + ".";
        }
        var steps = result.steps().get();
        return switch (steps.exit()) {
            case DONE -> style.green("Done") + ": " + count(steps.done()) + took(result) + ".";
            case CHANGES_PENDING ->
                style.yellow("Limited as asked") + ": " + count(steps.done()) + took(result)
                        + ". The site is not fully configured, and not verified.";
            case FAILED, CANCELLED, INVALID_INPUT, INTERNAL, LOCK_HELD, PROVIDER_UNREACHABLE ->
                style.red("Failed") + ": " + faults(steps) + took(result)
                        + ". Fix the cause, then continue with:\n\n      "
                        + typeable.apply("deepsite " + verb);
        };
    }

    private static String faults(ApplyResult steps) {
        var words = new ArrayList<String>();
        words.add(count(steps.done()) + " done");
        words.add(steps.failed() + " failed");
        if (steps.blocked() > 0) {
            words.add(steps.blocked() + " not tried");
        }
        return String.join(", ", words);
    }

    private String lastVerify(RecordedVerify last) {
        return "verified " + Elapsed.ago(last.at(), now) + ", nothing changed since";
    }

    private void lease(Lines lines, RunResult result, SiteState state) {
        var lease = state.lease();
        if (lease != null) {
            lines.gap()
                    .add(
                            0,
                            "The site ends " + LeaseWords.ends(lease, now)
                                    + result.lease()
                                            .map(by -> "; enforced by " + by)
                                            .orElse("") + ".");
        }
    }

    private void next(Lines lines, SiteState state) {
        var hosts = new Columns();
        state.hosts().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(HostNames::compare))
                .forEach(host -> hosts.row(host.getKey(), host.getValue().address()));
        if (!hosts.isEmpty()) {
            lines.gap().add(0, style.bold("Hosts")).append(hosts.text(2));
        }
        if (!site.users().isEmpty()) {
            lines.add(
                    0,
                    style.bold("Users") + "  "
                            + site.users().keySet().stream()
                                    .map(Object::toString)
                                    .collect(Collectors.joining(", ")));
        }
        if (state.hosts().isEmpty()) {
            return;
        }
        lines.gap().add(0, style.bold("Next"));
        site.clusters().forEach((name, cluster) -> {
            if (cluster.runsCommands()) {
                lines.add(2, typeable.apply("deepsite run " + name + " -- hostname"));
            }
        });
        lines.add(2, typeable.apply("deepsite ssh " + state.hosts().firstKey()))
                .add(2, typeable.apply("deepsite status"));
    }

    private static String count(long steps) {
        return steps + (steps == 1 ? " step" : " steps");
    }

    private static String took(RunResult result) {
        return result.steps().map(steps -> " in " + Elapsed.words(steps.took())).orElse("");
    }
}
