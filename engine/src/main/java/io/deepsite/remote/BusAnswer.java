package io.deepsite.remote;

import io.deepsite.contract.Seen;
import io.deepsite.provider.PciBus;
import io.deepsite.site.PciAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses the output of {@code probe_bus}: lines of words, named as in the kernel's files. Ignores other lines. */
final class BusAnswer {
    private static final Pattern FUNCTION =
            Pattern.compile("(" + PciAddress.PATTERN + ") 0x([0-9a-f]{4}) 0x([0-9a-f]{4}) 0x([0-9a-f]{4})[0-9a-f]{2}");
    private static final Pattern GROUP = Pattern.compile("([0-9]{1,9}) (" + PciAddress.PATTERN + ")");
    private static final Pattern NEED = Pattern.compile("(route|disk|console) (" + PciAddress.PATTERN + ")");
    private static final Pattern VIRTUAL = Pattern.compile("(" + PciAddress.PATTERN + ") ([0-9]{1,6})");
    private static final Set<String> TABLES = Set.of("DMAR", "IVRS");

    /** Kernel arguments that disable the IOMMU: Documentation/admin-guide/kernel-parameters.txt. */
    private static final Set<String> OFF = Set.of("intel_iommu=off", "amd_iommu=off", "iommu=off");

    private static final Map<String, String> OFF_UNTIL =
            Map.of("intel_iommu=off", "intel_iommu=on", "amd_iommu=off", "amd_iommu=on");
    private static final Map<String, String> NEEDS = Map.of(
            "route", "the default route",
            "disk", "a file system that is mounted",
            "console", "the console");

    private BusAnswer() {}

    /** Empty if the bus could not be read: the host has none, or denies access. */
    static Optional<PciBus> of(Seen seen, String commandLine) {
        if (seen.unknown().isPresent()) {
            return Optional.empty();
        }
        var groups = new HashMap<String, String>();
        lines(seen, "groups", GROUP).forEach(line -> groups.put(line.group(2), line.group(1)));
        var needs = lines(seen, "needs", NEED);
        var most = new HashMap<String, Integer>();
        lines(seen, "virtual", VIRTUAL).forEach(line -> most.put(line.group(1), Integer.valueOf(line.group(2))));
        var functions = new TreeMap<String, PciBus.Function>();
        lines(seen, "functions", FUNCTION)
                .forEach(line -> functions.put(line.group(1), function(line, groups, needs, most)));
        return Optional.of(new PciBus(
                List.copyOf(functions.values()),
                Optional.of(seen.text("iommu")).filter(TABLES::contains),
                turnedOff(commandLine)));
    }

    private static List<MatchResult> lines(Seen seen, String name, Pattern form) {
        return seen.list(name).stream()
                .flatMap(line -> {
                    var found = form.matcher(line);
                    return found.matches() ? Stream.of(found.toMatchResult()) : Stream.empty();
                })
                .toList();
    }

    /** Keeps the first two bytes of the class; the third is the programming interface. */
    private static PciBus.Function function(
            MatchResult line, Map<String, String> groups, List<MatchResult> needs, Map<String, Integer> most) {
        var address = line.group(1);
        return new PciBus.Function(
                PciAddress.parse(address),
                line.group(2),
                line.group(3),
                line.group(4),
                Optional.ofNullable(groups.get(address)),
                needs.stream()
                        .filter(need -> need.group(2).equals(address))
                        .map(need -> Objects.requireNonNull(NEEDS.get(need.group(1))))
                        .distinct()
                        .toList(),
                most.getOrDefault(address, 0));
    }

    /** Of contradicting arguments the last one counts. */
    private static Optional<String> turnedOff(String commandLine) {
        var words = Arrays.asList(commandLine.split("\\s+"));
        return OFF.stream()
                .filter(words::contains)
                .filter(off -> words.lastIndexOf(off)
                        > words.lastIndexOf(OFF_UNTIL.getOrDefault(off, off + " has no opposite")))
                .sorted()
                .findFirst();
    }
}
