package io.deepsite.verify;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.verify.CheckResult.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** All results, by cluster in the order of the site, each cluster's in the order in which they came. */
public record VerifyReport(List<CheckResult> results) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int FAULTS_NAMED = 10;

    public VerifyReport {
        results = List.copyOf(results);
    }

    /** Something was proved, and nothing failed. */
    public boolean green() {
        return !results.isEmpty() && count(Verdict.FAILED) == 0;
    }

    public int count(Verdict outcome) {
        return (int)
                results.stream().filter(result -> result.outcome() == outcome).count();
    }

    /** What to tell when it is not green. */
    public Optional<Diagnostic> fault() {
        if (green()) {
            return Optional.empty();
        }
        var failed = results.stream()
                .filter(result -> result.outcome() == Verdict.FAILED)
                .map(result -> result.cluster() + " " + result.id()
                        + result.node().map(node -> " on " + node).orElse("") + ": " + result.message())
                .toList();
        var named = failed.stream().limit(FAULTS_NAMED).collect(Collectors.joining("\n"));
        return Optional.of(Diagnostic.error(
                Code.NOT_PROVED,
                failed.isEmpty()
                        ? "Nothing was checked, so nothing is proved."
                        : failed.size() + " of " + results.size() + " checks failed.\n" + named
                                + (failed.size() > FAULTS_NAMED
                                        ? "\nand " + (failed.size() - FAULTS_NAMED) + " more"
                                        : ""),
                "Mend what the checks name, then prove it again:",
                "deepsite verify"));
    }

    /** For people: aligned columns, then one line that counts. */
    public String table() {
        var rows = results.stream()
                .map(result -> List.of(
                        result.outcome().name().toLowerCase(Locale.ROOT),
                        result.cluster(),
                        result.id(),
                        result.node().orElse("-"),
                        String.format(Locale.ROOT, "%.1f s", result.seconds()),
                        result.message()))
                .toList();
        var widths = new TreeMap<Integer, Integer>();
        rows.forEach(row -> {
            for (int i = 0; i < row.size() - 1; i++) {
                widths.merge(i, row.get(i).length(), Math::max);
            }
        });
        var out = new StringBuilder();
        for (var row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < row.size() - 1; i++) {
                line.append(row.get(i))
                        .repeat(' ', widths.getOrDefault(i, 0) - row.get(i).length() + 2);
            }
            // A message of several lines stays below its own column.
            line.append(row.getLast().replace("\n", "\n" + " ".repeat(line.length())));
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.append(String.format(
                        Locale.ROOT,
                        "%d passed, %d failed, %d busy%n",
                        count(Verdict.PASSED),
                        count(Verdict.FAILED),
                        count(Verdict.BUSY)))
                .toString();
    }

    /** One object: {@code green} and {@code results}. */
    public String json() {
        var all = new TreeMap<String, Object>();
        all.put("green", green());
        all.put("results", results);
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
    }

    /** For testbed CI: a cluster is a test suite, a check on a node a test case, busy is skipped. */
    public String junit() {
        return JunitXml.of(results);
    }
}
