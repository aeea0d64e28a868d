package io.deepsite.cli.view;

import io.deepsite.cli.view.PluginAnswer.Measure;
import io.deepsite.cli.view.PluginAnswer.State;
import io.deepsite.diag.Diagnostic;
import io.deepsite.operations.StatusReport;
import io.deepsite.plan.Plan;
import io.deepsite.state.Outcome;
import io.deepsite.text.Elapsed;
import io.deepsite.text.HostNames;
import io.deepsite.verify.CheckResult;
import io.deepsite.verify.CheckResult.Verdict;
import io.deepsite.verify.VerifyReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What commands found at a site, as a monitoring plugin tells it. */
public final class PluginAnswers {
    private static final Set<String> GOOD_CONDITIONS = Set.of("ready", "existing");

    private final String site;

    public PluginAnswers(String site) {
        this.site = site;
    }

    /**
     * @param silent why hosts did not answer deepsite
     * @param took from the start of the command
     */
    public PluginAnswer verified(VerifyReport found, List<Diagnostic> silent, Duration took) {
        int all = found.results().size();
        int failed = found.count(Verdict.FAILED);
        int busy = found.count(Verdict.BUSY);
        var measures = List.of(
                Measure.count("checks", all),
                Measure.count("passed", found.count(Verdict.PASSED)),
                Measure.none("failed", failed),
                Measure.count("busy", busy),
                Measure.none("silent", silent.size()),
                Measure.seconds("time", took.toMillis() / 1000.0));
        if (failed > 0) {
            var words = found.results().stream()
                    .filter(result -> result.outcome() == Verdict.FAILED)
                    .map(PluginAnswers::check)
                    .collect(Collectors.joining("; "));
            return answer(State.CRITICAL, failed + " of " + all + " checks failed: " + words, measures);
        }
        if (!silent.isEmpty()) {
            return answer(State.CRITICAL, PluginAnswer.words(silent), measures);
        }
        return found.green()
                ? answer(State.OK, all + " checks, none failed" + (busy == 0 ? "" : ", " + busy + " busy"), measures)
                : unknown("nothing was checked");
    }

    /** @param why nothing can be said of the site */
    public PluginAnswer unknown(String why) {
        return answer(State.UNKNOWN, why, List.of());
    }

    private static String check(CheckResult result) {
        return result.cluster() + " " + result.id()
                + result.node().map(node -> " on " + node).orElse("")
                + (result.message().isEmpty() ? "" : ": " + result.message());
    }

    /** @param silent why hosts did not answer: nothing is known of what changed there */
    public PluginAnswer drift(List<Plan.Drift> drift, List<Diagnostic> silent) {
        var measures = List.of(new Measure("drift", drift.size(), "", "0", ""), Measure.none("silent", silent.size()));
        if (!silent.isEmpty()) {
            return answer(State.CRITICAL, PluginAnswer.words(silent), measures);
        }
        if (drift.isEmpty()) {
            return answer(State.OK, "everything is as applied", measures);
        }
        var places = drift.stream()
                .map(one -> one.host().isEmpty() ? "back-end" : one.host())
                .collect(Collectors.toCollection(TreeSet::new));
        return answer(
                State.WARNING,
                drift.size() + " changed outside deepsite, at " + HostNames.brief(sorted(places)),
                measures);
    }

    /**
     * @param warning a lease with less time left is a warning
     * @param critical the same for critical
     */
    public PluginAnswer status(
            StatusReport status, Instant now, Optional<Duration> warning, Optional<Duration> critical) {
        var worst = new ArrayList<String>();
        var worse = new ArrayList<String>();
        var bad = status.machines().stream()
                .filter(machine -> !GOOD_CONDITIONS.contains(machine.condition()))
                .collect(Collectors.groupingBy(
                        StatusReport.MachineRow::condition,
                        Collectors.mapping(StatusReport.MachineRow::name, Collectors.toList())));
        bad.forEach((condition, names) -> worst.add(HostNames.brief(sorted(names)) + " " + condition));
        status.apply()
                .filter(apply -> apply.outcome() == Outcome.FAILED)
                .ifPresent(apply -> worse.add("last apply failed " + Elapsed.ago(apply.at(), now)));
        status.verify()
                .ifPresentOrElse(
                        verify -> {
                            if (verify.outcome() == Outcome.FAILED) {
                                worst.add("last verify failed " + Elapsed.ago(verify.at(), now));
                            }
                        },
                        () -> worse.add("no verify since the last change"));
        if (!status.interrupted().isEmpty()) {
            worse.add(status.interrupted().size() + " steps were interrupted");
        }
        status.lease().ifPresent(lease -> {
            var left = Duration.between(now, lease.ends());
            var words = "lease ends " + LeaseWords.ends(lease, now);
            if (left.isNegative()
                    || critical.filter(limit -> left.compareTo(limit) < 0).isPresent()) {
                worst.add(words);
            } else if (warning.filter(limit -> left.compareTo(limit) < 0).isPresent()) {
                worse.add(words);
            }
        });
        if (status.enforcedBy().filter(by -> by.isNobody()).isPresent()) {
            worse.add("nobody enforces the lease");
        }
        if (status.machines().isEmpty() && status.apply().isEmpty()) {
            return unknown("nothing was applied");
        }
        var words = new ArrayList<>(worst);
        words.addAll(worse);
        var state = worst.isEmpty() ? worse.isEmpty() ? State.OK : State.WARNING : State.CRITICAL;
        return answer(
                state,
                words.isEmpty() ? status.machines().size() + " machines, verified" : String.join("; ", words),
                measures(status, now, warning, critical));
    }

    private static List<Measure> measures(
            StatusReport status, Instant now, Optional<Duration> warning, Optional<Duration> critical) {
        var measures = new ArrayList<Measure>();
        measures.add(Measure.count("machines", status.machines().size()));
        measures.add(Measure.none("not_ready", (int) status.machines().stream()
                .filter(machine -> !GOOD_CONDITIONS.contains(machine.condition()))
                .count()));
        status.verify()
                .ifPresent(verify -> measures.add(Measure.seconds("verify_age", (double)
                        Duration.between(verify.at(), now).toSeconds())));
        status.lease()
                .ifPresent(lease -> measures.add(new Measure(
                        "lease_left",
                        (double) Duration.between(now, lease.ends()).toSeconds(),
                        "s",
                        atLeast(warning),
                        critical.isEmpty() ? "0:" : atLeast(critical))));
        return measures;
    }

    private static String atLeast(Optional<Duration> limit) {
        return limit.map(least -> least.toSeconds() + ":").orElse("");
    }

    private static List<String> sorted(Collection<String> names) {
        return names.stream().sorted(HostNames::compare).toList();
    }

    private PluginAnswer answer(State state, String text, List<Measure> measures) {
        return new PluginAnswer(state, site + ": " + text, measures);
    }
}
