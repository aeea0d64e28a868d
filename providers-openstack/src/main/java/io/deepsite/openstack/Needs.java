package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Bill;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a site will use of a project's quota, and which of its groups needs it. Not thread-safe. */
final class Needs {
    private final Map<Quota, Map<String, Long>> needs = new EnumMap<>(Quota.class);

    /** @param who a machine group, or {@code the site itself} */
    void add(Quota quota, String who, long amount) {
        if (amount > 0) {
            needs.computeIfAbsent(quota, _ -> new LinkedHashMap<>()).merge(who, amount, Long::sum);
        }
    }

    /** One for each quota that is too small, in the order of {@link Quota}. */
    List<Diagnostic> faults(Quotas quotas) {
        var faults = new ArrayList<Diagnostic>();
        needs.forEach((quota, by) -> {
            var usage = quotas.of().get(quota);
            long needed = sum(by);
            if (usage != null && needed > usage.left()) {
                faults.add(fault(quotas.project(), quota, usage, by, needed));
            }
        });
        return faults;
    }

    /** Of what is limited, in the order of {@link Quota}. */
    List<Bill.Limit> limits(Quotas quotas) {
        var limits = new ArrayList<Bill.Limit>();
        needs.forEach((quota, by) -> {
            var usage = quotas.of().get(quota);
            if (usage != null) {
                limits.add(new Bill.Limit(
                        "the project " + quotas.project(), quota.words(), sum(by), usage.used(), usage.limit()));
            }
        });
        return limits;
    }

    private static long sum(Map<String, Long> by) {
        return by.values().stream().mapToLong(Long::longValue).sum();
    }

    private static Diagnostic fault(
            String project, Quota quota, Quotas.Usage usage, Map<String, Long> by, long needed) {
        var groups = by.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        return Diagnostic.error(
                Code.OPENSTACK_QUOTA,
                "The project " + project + " may have " + usage.limit() + " " + quota.words() + " and has "
                        + usage.used()
                        + ". The site needs " + needed + " more (" + groups + "), " + (needed - usage.left())
                        + " too many.",
                "Make the site smaller, delete what is not needed there, or ask the cloud's administrator for more.");
    }
}
