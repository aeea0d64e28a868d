package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Assigns cards of the LXD host to machines, no card twice: LXD would let two instances share one. Existing machines keep
 * matching cards. A maximum matching, so that as many machines as possible get their cards.
 */
final class GpuAssignment {
    private final Snapshot snapshot;
    private final Site site;
    private final Owned owned;
    private final Set<String> divided;
    private final List<Diagnostic> faults;
    private final List<Slot> slots = new ArrayList<>();
    private final Map<Hardware.Card, Slot> given = new HashMap<>();

    /** One card that one machine needs. */
    private record Slot(String machine, String group, GpuRequest request, int number) {}

    /** @param divided addresses of cards that are used in slices or by a profile */
    GpuAssignment(Snapshot snapshot, Site site, Owned owned, Set<String> divided, List<Diagnostic> faults) {
        this.divided = divided;
        this.snapshot = snapshot;
        this.site = site;
        this.owned = owned;
        this.faults = faults;
    }

    /** Cards by machine, in order of PCI address. */
    Map<String, List<Hardware.Card>> cards() {
        collectSlots();
        if (slots.isEmpty()) {
            return Map.of();
        }
        var free = snapshot.cards().stream()
                .filter(Cards::isUsable)
                .filter(card -> holders(card).isEmpty() && !divided.contains(Cards.address(card)))
                .sorted(Comparator.comparing(Cards::address))
                .toList();
        keepMatching(free);
        var pinned = Set.copyOf(given.keySet());
        var open = free.stream().filter(card -> !pinned.contains(card)).toList();
        var unserved = slots.stream()
                .filter(slot -> !given.containsValue(slot))
                .filter(slot -> !place(slot, open, new HashSet<>()))
                .toList();
        unserved.stream()
                .collect(Collectors.groupingBy(Slot::group, TreeMap::new, Collectors.toList()))
                .forEach(this::tooFew);
        return byMachine();
    }

    private void collectSlots() {
        site.machines().forEach((group, machine) -> {
            for (var name : site.machineNames(group)) {
                int number = 0;
                for (var request : machine.gpus()) {
                    for (int i = 0; i < request.cards(); i++) {
                        slots.add(new Slot(name, group.value(), request, number++));
                    }
                }
            }
        });
    }

    /** Instances that hold it, other than this site's machines. */
    private List<String> holders(Hardware.Card card) {
        var ours = slots.stream()
                .flatMap(slot -> owned.machine(slot.machine()).stream())
                .collect(Collectors.toSet());
        return snapshot.instances().stream()
                .filter(instance -> !ours.contains(instance))
                .filter(instance ->
                        instance.expandedDevices().values().stream().anyMatch(device -> Cards.holds(device, card)))
                .map(Instance::name)
                .toList();
    }

    private void keepMatching(List<Hardware.Card> free) {
        for (var slot : slots) {
            var held =
                    owned.machine(slot.machine()).map(MachineAttributes::gpus).orElse(List.of());
            free.stream()
                    .filter(card -> held.contains(Cards.address(card)))
                    .filter(card -> !given.containsKey(card) && Cards.serves(card, slot.request()))
                    .findFirst()
                    .ifPresent(card -> given.put(card, slot));
        }
    }

    /** Takes a free matching card, or one whose slot can move elsewhere (Kuhn's augmenting path). */
    private boolean place(Slot slot, List<Hardware.Card> open, Set<Hardware.Card> tried) {
        var serving =
                open.stream().filter(card -> Cards.serves(card, slot.request())).toList();
        for (var card : serving) {
            if (!given.containsKey(card)) {
                given.put(card, slot);
                return true;
            }
        }
        for (var card : serving) {
            var other = given.get(card);
            if (other != null && tried.add(card) && place(other, open, tried)) {
                given.put(card, slot);
                return true;
            }
        }
        return false;
    }

    private void tooFew(String group, List<Slot> unserved) {
        var request = unserved.getFirst().request();
        var present = snapshot.cards().stream()
                .sorted(Comparator.comparing(Cards::address))
                .map(this::state)
                .collect(Collectors.joining("; "));
        faults.add(Diagnostic.error(
                Code.LXD_TOO_FEW_GPUS,
                "The machine group " + group + " asks for " + words(request) + ", and " + unserved.size()
                        + (unserved.size() == 1 ? " card is" : " cards are") + " missing. The "
                        + snapshot.at().daemon() + " host has "
                        + (present.isEmpty() ? "no GPU." : present + "."),
                "Lower machines." + group + ".gpus or its count, free a card, or use a host that has more."));
    }

    private static String words(GpuRequest request) {
        if (!request.pci().isEmpty()) {
            return "the card at " + request.pci().stream().map(Object::toString).collect(Collectors.joining(", "));
        }
        var kind = request.vendor().map(Object::toString).orElse("") + " "
                + request.model().orElse("");
        return (request.count() + " × " + (kind.isBlank() ? "any GPU" : kind.strip())) + " per machine";
    }

    private String state(Hardware.Card card) {
        var holders = holders(card);
        if (!holders.isEmpty()) {
            return Cards.words(card) + " (used by " + String.join(", ", holders) + ")";
        }
        if (divided.contains(Cards.address(card))) {
            return Cards.words(card) + " (used in slices or by a profile, in "
                    + snapshot.at().daemon().setting("groups)");
        }
        var slot = given.get(card);
        if (slot != null) {
            return Cards.words(card) + " (given to " + slot.machine() + ")";
        }
        return Cards.words(card) + (Cards.isUsable(card) ? "" : " (no driver that a container can use)");
    }

    private Map<String, List<Hardware.Card>> byMachine() {
        var byMachine = new TreeMap<String, List<Hardware.Card>>();
        given.forEach((card, slot) -> byMachine
                .computeIfAbsent(slot.machine(), _ -> new ArrayList<>())
                .add(card));
        byMachine.values().forEach(cards -> cards.sort(Comparator.comparing(Cards::address)));
        return byMachine;
    }
}
