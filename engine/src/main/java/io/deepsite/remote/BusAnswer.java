package io.deepsite.remote;

import io.deepsite.contract.Seen;
import io.deepsite.provider.PciBus;
import io.deepsite.site.PciAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what {@code probe_bus} answers: lines of words, as the host's own files name things. */
final class BusAnswer {
    /** Words that keep the kernel from using an IOMMU: Documentation/admin-guide/kernel-parameters.txt. */
    private static final Set<String> OFF = Set.of("intel_iommu=off", "amd_iommu=off", "iommu=off");

    private static final Map<String, String> OFF_UNTIL =
            Map.of("intel_iommu=off", "intel_iommu=on", "amd_iommu=off", "amd_iommu=on");
    private static final Map<String, String> NEEDS = Map.of(
            "route", "the default route",
            "disk", "a file system that is mounted",
            "console", "the console");
    private static final int NUMBER = 4;

    private BusAnswer() {}

    /** Empty where the bus could not be read: a host without one, or without the rights. */
    static Optional<PciBus> of(Seen seen, String commandLine) {
        if (seen.unknown().isPresent()) {
            return Optional.empty();
        }
        var groups = new HashMap<String, String>();
        seen.list("groups").forEach(line -> {
            var words = line.split(" ");
            groups.put(words[1], words[0]);
        });
        var needs = seen.list("needs").stream().map(line -> line.split(" ")).toList();
        var most = new HashMap<String, Integer>();
        seen.list("virtual").forEach(line -> {
            var words = line.split(" ");
            most.put(words[0], Integer.valueOf(words[1]));
        });
        var functions = seen.list("functions").stream()
                .map(line -> function(line.split(" "), groups, needs, most))
                .sorted(Comparator.comparing(function -> function.address().value()))
                .toList();
        return Optional.of(new PciBus(
                functions, Optional.of(seen.text("iommu")).filter(table -> !table.isEmpty()), turnedOff(commandLine)));
    }

    /** @param words address, vendor, device and class, these with their 0x */
    private static PciBus.Function function(
            String[] words, Map<String, String> groups, List<String[]> needs, Map<String, Integer> most) {
        return new PciBus.Function(
                PciAddress.parse(words[0]),
                number(words[1]),
                number(words[2]),
                number(words[3]),
                Optional.ofNullable(groups.get(words[0])),
                needs.stream()
                        .filter(need -> need[1].equals(words[0]))
                        .map(need -> NEEDS.getOrDefault(need[0], need[0]))
                        .distinct()
                        .toList(),
                most.getOrDefault(words[0], 0));
    }

    /** Of a class the first two bytes: the third is the programming interface. */
    private static String number(String word) {
        var digits = word.substring("0x".length());
        return digits.substring(0, Math.min(NUMBER, digits.length()));
    }

    /** Of words that undo each other the last one counts. */
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
