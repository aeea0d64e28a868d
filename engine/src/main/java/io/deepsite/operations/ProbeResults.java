package io.deepsite.operations;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.remote.ProbeAnswer;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What hosts told when they were looked at.
 *
 * @param answers by host
 * @param silent those that did not answer, and why
 */
record ProbeResults(SortedMap<String, ProbeAnswer> answers, SortedMap<String, List<Diagnostic>> silent) {
    /** No host was asked. */
    static final ProbeResults NONE = new ProbeResults(new TreeMap<>(), new TreeMap<>());

    static List<Diagnostic> faults(Map<String, List<Diagnostic>> silent) {
        return silent.values().stream().flatMap(List::stream).toList();
    }

    /**
     * @throws Failure with every required host that does not answer, or that was not asked because the login key cannot be
     *     used
     */
    ProbeResults orFail(Predicate<String> dispensable) {
        var faults = silent.entrySet().stream()
                .filter(host -> !dispensable.test(host.getKey())
                        || host.getValue().stream()
                                .anyMatch(fault -> fault.code().exit() == ExitCode.INVALID_INPUT))
                .flatMap(host -> host.getValue().stream())
                .toList();
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        return this;
    }
}
