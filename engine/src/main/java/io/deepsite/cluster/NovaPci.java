package io.deepsite.cluster;

import io.deepsite.provider.PciBus.Function;
import io.deepsite.site.GpuCard;
import io.deepsite.site.GpuTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Nova's configuration for the devices that a host passes through: which ones it may assign, and the aliases by which
 * flavors request them. Of a card with several functions Nova assigns only the first; the others are passed through
 * only so that nothing else uses them.
 *
 * @param release by OpenStack's name; later ones are named by year
 */
record NovaPci(String release, PciPassage passage) {
    /** The last releases that use the option's old name: Nova's notes of release 26.0.0 (Zed). */
    private static final List<String> BEFORE = List.of("train", "ussuri", "victoria", "wallaby", "xena", "yoga");

    Map<String, Object> variables() {
        var devices = Stream.concat(passage.functions().stream(), passage.split().keySet().stream())
                .filter(function -> isFirst(function))
                .toList();
        var names = new LinkedHashMap<String, String>();
        passage.functions().stream()
                .filter(this::isFirst)
                .forEach(function -> names.putIfAbsent(function.vendor() + ":" + function.device(), alias(function)));
        return Map.of(
                "option",
                BEFORE.contains(release) ? "passthrough_whitelist" : "device_spec",
                "devices",
                devices.stream()
                        .map(function -> "{\"address\": \"" + function.address() + "\"}")
                        .toList(),
                "aliases",
                List.copyOf(names.values()));
    }

    private boolean isFirst(Function function) {
        return passage.functions().stream()
                .filter(other -> other.slot().equals(function.slot()))
                .findFirst()
                .map(function::equals)
                .orElse(true);
    }

    /** For Nova a card with SR-IOV has another type, even if none of its virtual functions is used. */
    private static String alias(Function function) {
        return "{\"vendor_id\": \"" + function.vendor() + "\", \"product_id\": \"" + function.device()
                + "\", \"device_type\": \"" + (function.most() > 0 ? "type-PF" : "type-PCI") + "\", \"name\": \""
                + name(function) + "\"}";
    }

    private static String name(Function function) {
        return GpuTable.known()
                .withId(function.device())
                .filter(_ -> function.vendor().equals(GpuCard.VENDOR))
                .map(card -> card.model().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-"))
                .orElse("pci-" + function.vendor() + "-" + function.device());
    }
}
