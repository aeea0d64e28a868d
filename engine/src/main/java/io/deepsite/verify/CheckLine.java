package io.deepsite.verify;

import io.deepsite.verify.CheckResult.Verdict;
import java.util.Optional;

/** Reads {@code CHECK <tab> id <tab> passed|failed|busy <tab> node or - <tab> seconds <tab> message}. */
final class CheckLine {
    private static final String WORD = "CHECK";
    private static final int FIELDS = 6;

    private CheckLine() {}

    static boolean isOne(String line) {
        return line.equals(WORD) || line.startsWith(WORD + "\t");
    }

    /** A line that cannot be read is a failed check: it may have been the one that matters. */
    static CheckResult read(String cluster, String line) {
        var fields = line.split("\t", FIELDS);
        if (fields.length < FIELDS - 1 || fields[1].isBlank() || fields[3].isBlank()) {
            return unreadable(cluster, line);
        }
        Verdict outcome;
        switch (fields[2]) {
            case "passed" -> outcome = Verdict.PASSED;
            case "failed" -> outcome = Verdict.FAILED;
            case "busy" -> outcome = Verdict.BUSY;
            default -> {
                return unreadable(cluster, line);
            }
        }
        if (!fields[4].matches("[0-9]{1,7}(\\.[0-9]{1,9})?")) {
            return unreadable(cluster, line);
        }
        return new CheckResult(
                cluster,
                fields[1],
                outcome,
                fields[3].equals("-") ? Optional.empty() : Optional.of(fields[3]),
                Double.parseDouble(fields[4]),
                fields.length == FIELDS ? fields[5].strip() : "");
    }

    private static CheckResult unreadable(String cluster, String line) {
        return new CheckResult(
                cluster,
                "acceptance",
                Verdict.FAILED,
                Optional.empty(),
                0,
                "the script printed a result that cannot be read: " + line.replace('\t', ' '));
    }
}
