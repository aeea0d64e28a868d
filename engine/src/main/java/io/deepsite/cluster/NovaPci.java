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
 * What Nova has to know of the devices that a host gives away: which it may hand out, and under which names flavors ask for
 * them. Of a card that is several functions only the first is handed out; the others went with it so that nobody has them.
 *
 * @param release as OpenStack names it; later ones are named by the year
 */
record NovaPci(String release, PciPassage passage) {
    /** The last ones that know the option by its old name: Nova's notes of release 26.0.0 (Zed). */
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

    /** A card with SR-IOV is another type for Nova, also where none of its virtual functions is used. */
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
