package io.deepsite.cluster;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.PciBus;
import io.deepsite.provider.PciBus.Function;
import io.deepsite.site.GpuCard;
import io.deepsite.site.GpuTable;
import io.deepsite.site.PassedDevice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The PCI functions that a host passes through. An IOMMU isolates only groups of functions, so a group goes as a whole
 * or not at all: the functions named in site.yaml and the other functions of the same cards; bridges stay. Any other
 * function in the group is a conflict that only a person can resolve.
 *
 * @param functions bound to vfio-pci, in order of their addresses
 * @param split functions that stay but pass through virtual functions, with their number
 * @param words the same for a person, by group
 */
record PciPassage(List<Function> functions, Map<Function, Integer> split, String words) {
    PciPassage {
        functions = List.copyOf(functions);
        split = Collections.unmodifiableMap(new LinkedHashMap<>(split));
    }

    /**
     * Pure: depends only on the request and the host's answer.
     *
     * @throws Failure with all faults of this host
     */
    static PciPassage of(String host, List<PassedDevice> asked, PciBus bus) {
        return new Search(host, bus).result(asked);
    }

    private static final class Search {
        private final String host;
        private final PciBus bus;
        private final List<Diagnostic> faults = new ArrayList<>();
        /** Each with the words that named it. */
        private final Map<Function, String> named = new LinkedHashMap<>();

        private final Map<Function, Integer> split = new LinkedHashMap<>();

        private Search(String host, PciBus bus) {
            this.host = host;
            this.bus = bus;
        }

        private PciPassage result(List<PassedDevice> asked) {
            iommu();
            asked.forEach(this::choose);
            var going = going();
            going.forEach(this::refuseNeeded);
            groups(going).forEach((group, members) -> refuseShared(group, members, going));
            if (!faults.isEmpty()) {
                throw new Failure(faults);
            }
            return new PciPassage(going, split, words(going));
        }

        private void iommu() {
            if (bus.iommu().isEmpty()) {
                fault(
                        Code.IOMMU_MISSING,
                        "its firmware reports no IOMMU (there is no table DMAR or IVRS), and without one no device"
                                + " can be passed through.",
                        "Turn on VT-d or AMD-Vi in the firmware's setup (and SR-IOV for virtual functions), then plan"
                                + " again.");
            }
            bus.turnedOff()
                    .ifPresent(word -> fault(
                            Code.IOMMU_OFF,
                            "its kernel was started with " + word + ".",
                            "Remove " + word
                                    + " from GRUB_CMDLINE_LINUX (/etc/default/grub and /etc/default/grub.d), run"
                                    + " update-grub, restart the host, then plan again."));
        }

        private void choose(PassedDevice device) {
            var words = device.address()
                    .map(Object::toString)
                    .or(device::kind)
                    .or(device::model)
                    .orElse("");
            var found = bus.functions().stream()
                    .filter(function -> !function.isBridge())
                    .filter(function -> matches(device, function))
                    .toList();
            if (found.isEmpty()) {
                fault(
                        Code.DEVICE_MISSING,
                        "no device is " + words + "."
                                + device.address()
                                        .flatMap(this::bridgeAt)
                                        .map(_ -> " The device at this address is a bridge.")
                                        .orElse(""),
                        "List the host's devices (lspci -nn), then name one of them in passthrough.");
            }
            for (var function : found) {
                var other = named.putIfAbsent(function, words);
                if (other != null) {
                    fault(
                            Code.CARD_TWICE,
                            function.address() + " (" + function.kind() + ") is selected by " + other + " and by "
                                    + words + ".",
                            "Remove one of the two from passthrough.");
                }
                device.virtualFunctions().ifPresent(count -> split(function, count));
            }
        }

        private void split(Function function, int count) {
            split.put(function, count);
            if (count > function.most()) {
                fault(
                        Code.VIRTUAL_FUNCTIONS,
                        function.address() + " (" + function.kind() + ") can have "
                                + (function.most() == 0 ? "no virtual functions" : "at most " + function.most())
                                + ", and "
                                + count + " are requested (sriov_totalvfs, as its driver and firmware report it).",
                        function.most() == 0
                                ? "Turn on SR-IOV in the firmware of board and card, or remove virtualFunctions."
                                : "Write virtualFunctions: " + function.most() + ", or less.");
            }
        }

        private Optional<Function> bridgeAt(Object address) {
            return bus.functions().stream()
                    .filter(function -> function.address().equals(address) && function.isBridge())
                    .findFirst();
        }

        private static boolean matches(PassedDevice device, Function function) {
            return device.address().map(function.address()::equals).orElse(true)
                    && device.kind()
                            .map(kind -> pattern(kind).matcher(function.kind()).matches())
                            .orElse(true)
                    && device.model()
                            .map(model -> function.vendor().equals(GpuCard.VENDOR)
                                    && GpuTable.known().called(model).stream()
                                            .anyMatch(card -> card.id().equals(function.device())))
                            .orElse(true);
        }

        /** A kind of two parts does not constrain the class. */
        private static Pattern pattern(String kind) {
            boolean whole = kind.chars().filter(sign -> sign == ':').count() == 2;
            return Pattern.compile(
                    (whole ? kind : kind + ":*").replace("?", "[0-9a-f]").replace("*", "[0-9a-f]*"));
        }

        /**
         * The named functions and the other functions of the same cards in the same groups: a graphics card's audio
         * function goes with it.
         */
        private List<Function> going() {
            var whole = named.keySet().stream()
                    .filter(function -> !split.containsKey(function))
                    .toList();
            return bus.functions().stream()
                    .filter(function -> whole.contains(function)
                            || (!function.isBridge()
                                    && whole.stream()
                                            .anyMatch(one -> one.slot().equals(function.slot())
                                                    && one.group().equals(function.group()))))
                    .toList();
        }

        private void refuseNeeded(Function function) {
            if (!function.needs().isEmpty()) {
                fault(
                        Code.DEVICE_NEEDED,
                        function.address() + " (" + function.kind() + ") is in use by the host itself, for "
                                + String.join(" and ", function.needs()) + ".",
                        "Name another device, or make the host use another one for that.");
            }
        }

        private Map<String, List<Function>> groups(List<Function> going) {
            var groups = new TreeMap<String, List<Function>>();
            going.forEach(function -> function.group()
                    .ifPresent(group -> groups.computeIfAbsent(
                            group,
                            _ -> bus.functions().stream()
                                    .filter(other -> other.group().equals(Optional.of(group)))
                                    .toList())));
            return groups;
        }

        private void refuseShared(String group, List<Function> members, List<Function> going) {
            var kept = members.stream()
                    .filter(member -> !member.isBridge() && !going.contains(member))
                    .toList();
            if (!kept.isEmpty()) {
                fault(
                        Code.GROUP_SHARED,
                        "the IOMMU cannot isolate "
                                + all(members.stream().filter(going::contains).toList()) + " from " + all(kept)
                                + ": they are in one group, " + group + ".",
                        "Put the card into another slot, or pass all of them through: name them in passthrough, too.");
            }
        }

        private static String all(List<Function> functions) {
            return functions.stream()
                    .map(function -> function.address() + " (" + function.kind() + ")")
                    .collect(Collectors.joining(" and "));
        }

        private String words(List<Function> going) {
            var byGroup = new LinkedHashMap<String, List<String>>();
            going.forEach(function -> byGroup.computeIfAbsent(
                            function.group().map(group -> "group " + group).orElse("group not known yet"),
                            _ -> new ArrayList<>())
                    .add(function.address() + " " + function.kind()));
            var whole = byGroup.entrySet().stream()
                    .map(entry -> String.join(" with ", entry.getValue()) + " (" + entry.getKey() + ")");
            var parts = split.entrySet().stream()
                    .map(entry -> entry.getValue() + " virtual functions of "
                            + entry.getKey().address() + " " + entry.getKey().kind());
            return Stream.concat(whole, parts).collect(Collectors.joining(", "));
        }

        private void fault(Code code, String why, String fix) {
            faults.add(Diagnostic.error(code, host + ": " + why, fix));
        }
    }
}
