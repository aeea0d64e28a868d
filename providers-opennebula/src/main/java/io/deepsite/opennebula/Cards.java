package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.opennebula.oca.OneVersion;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.OpenNebulaMachines;
import io.deepsite.site.PciAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which PCI devices stand for the cards that a group asks for. OpenNebula takes vendor, device and class, and from 6.6 an
 * address in their place; never both.
 */
final class Cards {
    private static final Map<String, String> VENDORS = Map.of("nvidia", "10de", "amd", "1002", "intel", "8086");
    /** Display controllers and processing accelerators; the other functions of a card are its sound and USB ports. */
    private static final List<String> GPU_CLASSES = List.of("03", "12");

    private final Snapshot snapshot;
    private final Owned owned;
    private final List<Diagnostic> faults;
    /** What groups before this one take of what is free, by choice. */
    private final Map<String, Integer> taken = new HashMap<>();

    Cards(Snapshot snapshot, Owned owned, List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.owned = owned;
        this.faults = faults;
    }

    /** One text for each card of a machine of the group, as in {@link VmAttributes#GPUS}. */
    List<String> choose(Name group, MachineGroup machine, OpenNebulaMachines more, List<String> machines) {
        var chosen = new ArrayList<String>();
        for (var request : machine.gpus()) {
            if (!request.pci().isEmpty()) {
                chosen.addAll(byAddress(group, request));
            } else {
                device(group, request, more).ifPresent(device -> {
                    for (int i = 0; i < request.cards(); i++) {
                        chosen.add(device);
                    }
                    enough(group, request, device, machines);
                });
            }
        }
        return chosen;
    }

    private List<String> byAddress(Name group, GpuRequest request) {
        if (!snapshot.version().atLeast(OneVersion.V6_6)) {
            faults.add(Diagnostic.error(
                    Code.OPENNEBULA_TOO_OLD,
                    "The machine group " + group + " names cards by their addresses, and " + snapshot.front() + " is "
                            + snapshot.version() + ", which takes vendor, device and class only.",
                    "Ask by vendor and model, or use OpenNebula 6.6 or newer."));
            return List.of();
        }
        var all = cards().map(Snapshot.Card::address).toList();
        var chosen = new ArrayList<String>();
        for (var pci : request.pci()) {
            var address = shortForm(pci);
            if (!all.isEmpty() && !all.contains(address)) {
                faults.add(missing(group, "the card at " + pci, "Name one that a host lists"));
            }
            chosen.add("address=" + address);
        }
        return chosen;
    }

    /** Without the domain, which OpenNebula's short addresses do not have. */
    private static String shortForm(PciAddress pci) {
        return pci.value().substring(pci.value().indexOf(':') + 1);
    }

    private Optional<String> device(Name group, GpuRequest request, OpenNebulaMachines more) {
        if (more.pciDevice().isPresent()) {
            var parts = more.pciDevice().get().split(":");
            return Optional.of(words(parts[0], parts.length > 1 ? parts[1] : "", parts.length > 2 ? parts[2] : ""));
        }
        var matching = cards().filter(card -> matches(card, request))
                .collect(Collectors.groupingBy(
                        card -> words(card.vendor(), card.device(), card.type()), Collectors.counting()));
        var best = matching.entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey);
        if (best.isEmpty()) {
            faults.add(
                    snapshot.hosts().isEmpty()
                            ? Diagnostic.error(
                                    Code.OPENNEBULA_NO_GPU,
                                    "The machine group " + group + " asks for " + words(request) + ", and "
                                            + snapshot.front() + " shows this user no host to find such a card on.",
                                    "Write which PCI device it is, as an administrator sees it (onehost show HOST):"
                                            + " provider.opennebula.groups." + group
                                            + ".pciDevice: \"10de:20b5:0302\".")
                            : missing(group, words(request), "Ask for one of them"));
        }
        return best;
    }

    private static String words(String vendor, String device, String type) {
        return "vendor=" + vendor
                + (device.isEmpty() ? "" : " device=" + device)
                + (type.isEmpty() ? "" : " class=" + type);
    }

    private static String words(GpuRequest request) {
        return "a GPU of "
                + Stream.of(request.vendor().map(Name::value), request.model())
                        .flatMap(Optional::stream)
                        .collect(Collectors.joining(" "))
                + (request.vendor().isEmpty() && request.model().isEmpty() ? "any vendor" : "");
    }

    private boolean matches(Snapshot.Card card, GpuRequest request) {
        return GPU_CLASSES.stream().anyMatch(card.type()::startsWith)
                && request.vendor()
                        .map(vendor -> card.vendor().equals(VENDORS.get(vendor.value())))
                        .orElse(true)
                && request.model()
                        .map(model -> plain(card.name()).contains(plain(model)))
                        .orElse(true);
    }

    /** Without case, spaces and hyphens. */
    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private Stream<Snapshot.Card> cards() {
        return snapshot.hosts().stream().flatMap(host -> host.cards().stream());
    }

    /** Cards that machines of the site have already are theirs. */
    private void enough(Name group, GpuRequest request, String device, List<String> machines) {
        if (snapshot.hosts().isEmpty()) {
            return;
        }
        int most = snapshot.hosts().stream()
                .mapToInt(host -> count(host, device, false))
                .max()
                .orElse(0);
        int free = snapshot.hosts().stream()
                        .filter(Snapshot.Host::alive)
                        .mapToInt(host -> count(host, device, true))
                        .sum()
                - taken.getOrDefault(device, 0);
        int needed = (int) machines.stream()
                        .filter(machine -> owned.vm(machine).isEmpty())
                        .count()
                * request.cards();
        taken.merge(device, needed, Integer::sum);
        if (request.cards() > most) {
            faults.add(missing(
                    group,
                    request.cards() + " times " + words(request) + " in one machine",
                    "Ask for no more than that"));
        } else if (needed > free) {
            faults.add(missing(
                    group,
                    needed + " times " + words(request) + ", of which " + Math.max(0, free) + " are free",
                    "Wait until some are given back, or ask for fewer"));
        }
    }

    private static int count(Snapshot.Host host, String device, boolean onlyFree) {
        return (int) host.cards().stream()
                .filter(card -> (card.free() || !onlyFree)
                        && words(card.vendor(), card.device(), card.type()).startsWith(device))
                .count();
    }

    private Diagnostic missing(Name group, String what, String fix) {
        return Diagnostic.error(
                Code.OPENNEBULA_NO_GPU,
                "The machine group " + group + " asks for " + what + ". What the hosts of " + snapshot.front()
                        + " have: " + HostWords.cards(snapshot.hosts()) + ".",
                fix + "; a card that is missing there is not listed by its host's probe (pci.conf).");
    }
}
