package io.deepsite.openstack;

import io.deepsite.site.GpuRequest;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The cards that a flavor's extra specs bring: whole ones by a PCI alias that the cloud's administrator named, virtual
 * ones, or those of hosts of LXD that deepsite set up. Only the name of an alias says what it is.
 */
record Accelerators(Map<String, Integer> byName) {
    static final String ALIASES = "pci_passthrough:alias";
    static final String VIRTUAL = "resources:VGPU";
    static final String LXD = "lxd:gpus";
    private static final String LXD_MODEL = "lxd:gpu_model";
    /** The name of a virtual GPU among the aliases. */
    static final String VGPU = "VGPU";

    Accelerators {
        byName = Map.copyOf(byName);
    }

    static Accelerators of(Map<String, String> extraSpecs) {
        var byName = new TreeMap<String, Integer>();
        for (var alias : extraSpecs.getOrDefault(ALIASES, "").split(",")) {
            int colon = alias.lastIndexOf(':');
            if (colon > 0) {
                byName.merge(alias.substring(0, colon).strip(), count(alias.substring(colon + 1)), Integer::sum);
            }
        }
        int virtual = count(extraSpecs.getOrDefault(VIRTUAL, "0"));
        if (virtual > 0) {
            byName.put(VGPU, virtual);
        }
        int passed = count(extraSpecs.getOrDefault(LXD, "0"));
        if (passed > 0) {
            byName.merge(extraSpecs.getOrDefault(LXD_MODEL, "gpu"), passed, Integer::sum);
        }
        return new Accelerators(byName);
    }

    int total() {
        return byName.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Exactly the number asked for: a flavor with more would take cards from others. */
    boolean fit(List<GpuRequest> requests) {
        var left = new TreeMap<>(byName);
        for (var request : requests) {
            int wanted = request.cards();
            for (var entry : left.entrySet()) {
                int taken = matches(entry.getKey(), request) ? Math.min(wanted, entry.getValue()) : 0;
                entry.setValue(entry.getValue() - taken);
                wanted -= taken;
            }
            if (wanted > 0) {
                return false;
            }
        }
        return left.values().stream().allMatch(count -> count == 0);
    }

    /** A request without a model takes any alias that does not name another vendor. */
    private static boolean matches(String alias, GpuRequest request) {
        var name = plain(alias);
        if (request.model().isPresent()) {
            var model = plain(request.model().get());
            return name.contains(model) || (name.length() > 2 && model.contains(name));
        }
        return List.of("nvidia", "amd", "intel").stream()
                .filter(vendor -> !request.vendor().map(Name::value).equals(Optional.of(vendor)))
                .noneMatch(vendor -> request.vendor().isPresent() && name.contains(vendor));
    }

    /** In lower case, without spaces and hyphens. */
    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static int count(String text) {
        return text.strip().matches("[0-9]{1,3}") ? Integer.parseInt(text.strip()) : 0;
    }

    /** {@code gpu:2}, in order of name; empty text for none. */
    @Override
    public String toString() {
        return new TreeMap<>(byName)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + ":" + entry.getValue())
                        .reduce((one, other) -> one + "," + other)
                        .orElse("");
    }
}
