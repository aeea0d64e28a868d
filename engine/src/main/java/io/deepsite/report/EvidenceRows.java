package io.deepsite.report;

import io.deepsite.contract.ItemWords;
import io.deepsite.plan.Plan;
import io.deepsite.text.Elapsed;
import io.deepsite.text.HostNames;
import io.deepsite.verify.CheckResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Rows of tables: checks and differences that are the same on many hosts are one row. */
final class EvidenceRows {
    private EvidenceRows() {}

    /** Cluster, check, result, nodes, longest time, message of the first. */
    static List<List<String>> checks(List<CheckResult> results) {
        var alike = new LinkedHashMap<List<String>, List<CheckResult>>();
        results.forEach(result -> alike.computeIfAbsent(
                        List.of(
                                result.cluster(),
                                result.id(),
                                result.outcome().name(),
                                result.node()
                                        .map(node -> HostNames.without(node, result.message()))
                                        .orElse(result.message())),
                        _ -> new ArrayList<>())
                .add(result));
        return alike.values().stream().map(EvidenceRows::row).toList();
    }

    private static List<String> row(List<CheckResult> same) {
        var first = same.getFirst();
        var nodes = same.stream()
                .flatMap(result -> result.node().stream())
                .distinct()
                .sorted(HostNames::compare)
                .toList();
        double longest = same.stream().mapToDouble(CheckResult::seconds).max().orElse(0);
        return List.of(
                first.cluster(),
                first.id(),
                first.outcome().name().toLowerCase(Locale.ROOT),
                nodes.isEmpty() ? "the cluster" : ReportPage.names(nodes),
                longest > 0 ? Elapsed.words(Duration.ofMillis(Math.round(longest * 1000))) : "",
                first.message());
    }

    /** Hosts or back-end, item, what differs. */
    static List<List<String>> drift(List<Plan.Drift> found) {
        var alike = new LinkedHashMap<List<String>, List<String>>();
        found.forEach(one -> alike.computeIfAbsent(
                        one.host().isEmpty()
                                ? List.of("", words(one))
                                : List.of(ItemWords.name(one.item()), words(one)),
                        _ -> new ArrayList<>())
                .add(one.host().isEmpty() ? one.item() : one.host()));
        return alike.entrySet().stream()
                .map(entry -> List.of(
                        ReportPage.names(sorted(entry)),
                        entry.getKey().getFirst().isEmpty()
                                ? "on the back-end"
                                : entry.getKey().getFirst(),
                        entry.getKey().getLast()))
                .toList();
    }

    private static List<String> sorted(Map.Entry<List<String>, List<String>> entry) {
        return entry.getValue().stream().sorted(HostNames::compare).toList();
    }

    private static String words(Plan.Drift one) {
        var gone = one.differences().stream().filter(ItemWords::isGone).findFirst();
        return gone.isPresent()
                ? ItemWords.drift(gone.get())
                : one.differences().stream().map(ItemWords::drift).collect(Collectors.joining("; "));
    }
}
