package io.deepsite.opennebula;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Describes what hosts have free, for messages. */
final class HostWords {
    private static final int SHOWN = 8;

    private HostWords() {}

    /** {@code 2 of 4 A100 PCIe (10de:20b5) on kvm-1; …}. */
    static String cards(List<Snapshot.Host> hosts) {
        var words = new ArrayList<String>();
        for (var host : hosts) {
            var all = of(host);
            if (!all.isEmpty()) {
                words.add(all + " on " + host.name());
            }
        }
        return words.isEmpty() ? "no PCI devices" : some(words);
    }

    private static String of(Snapshot.Host host) {
        var total = new TreeMap<String, Integer>();
        var free = new TreeMap<String, Integer>();
        for (var card : host.cards()) {
            var name = (card.name().isEmpty() ? "PCI device" : card.name()) + " (" + card.vendor() + ":" + card.device()
                    + ")";
            total.merge(name, 1, Integer::sum);
            free.merge(name, card.free() ? 1 : 0, Integer::sum);
        }
        return total.entrySet().stream()
                .map(entry -> free.get(entry.getKey()) + " of " + entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    /** {@code kvm-1: 3.5 cpus, 2048 MiB, 0 of 1 A100 (10de:20b5); …}. */
    static String free(List<Snapshot.Host> hosts) {
        return some(hosts.stream()
                .map(host -> host.name()
                        + (host.alive()
                                ? ": " + cpus(host.freeCpus()) + " cpus, " + Math.max(0, host.freeMebibytes()) + " MiB"
                                        + (host.cards().isEmpty() ? "" : ", " + of(host))
                                : ": accepts no VMs (disabled, offline or in error)"))
                .toList());
    }

    private static String cpus(long hundredths) {
        long free = Math.max(0, hundredths);
        return free % 100 == 0 ? String.valueOf(free / 100) : String.valueOf(free / 100.0);
    }

    private static String some(List<String> words) {
        int more = words.size() - SHOWN;
        return String.join("; ", words.subList(0, Math.min(SHOWN, words.size())))
                + (more > 0 ? "; and " + more + " more hosts" : "");
    }
}
