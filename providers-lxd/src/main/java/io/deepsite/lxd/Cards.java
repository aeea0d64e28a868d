package io.deepsite.lxd;

import io.deepsite.provider.Machine;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.PciAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes GPUs of the LXD host, and matches them with requests. */
final class Cards {
    /** PCI vendor ids that count as GPUs: LXD also lists a server's onboard graphics chip as a card. */
    private static final Map<String, String> VENDORS =
            Map.of("10de", "nvidia", "1002", "amd", "1022", "amd", "8086", "intel");

    private Cards() {}

    /** Whether a container can use it: a driver of the host holds it, and not for virtual machines. */
    static boolean isUsable(Hardware.Card card) {
        return !card.pciAddress().isEmpty()
                && !card.driver().equals("vfio-pci")
                && (card.drm() != null || card.nvidia() != null);
    }

    static boolean serves(Hardware.Card card, GpuRequest request) {
        if (!request.pci().isEmpty()) {
            return request.pci().stream().anyMatch(pci -> pci.value().equals(address(card)));
        }
        return !vendor(card).isEmpty()
                && request.vendor()
                        .map(name -> name.value().equals(vendor(card)))
                        .orElse(true)
                && request.model().map(model -> isModel(card, model)).orElse(true);
    }

    static boolean is(Hardware.Card card, PciAddress pci) {
        return pci.value().equals(address(card));
    }

    static String address(Hardware.Card card) {
        return card.pciAddress().toLowerCase(Locale.ROOT);
    }

    /** Empty for a vendor without GPUs. */
    static String vendor(Hardware.Card card) {
        return VENDORS.getOrDefault(card.vendorId().toLowerCase(Locale.ROOT), "");
    }

    static String model(Hardware.Card card) {
        var nvidia = card.nvidia();
        var model = nvidia == null ? null : nvidia.model();
        return model == null || model.isBlank() ? card.product() : model;
    }

    static String words(Hardware.Card card) {
        return address(card) + " " + (vendor(card).isEmpty() ? card.vendor() : vendor(card)) + " " + model(card);
    }

    /** The PCI database writes {@code GK110GL [Tesla K20m]}, NVIDIA's driver {@code Tesla K20m}. */
    private static boolean isModel(Hardware.Card card, String model) {
        var wanted = plain(model);
        return plain(model(card)).contains(wanted) || plain(card.product()).contains(wanted);
    }

    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[\\s_-]", "");
    }

    static Machine.Gpu onMachine(Hardware.Card card) {
        return new Machine.Gpu(vendor(card), model(card), address(card), device(card));
    }

    private static String device(Hardware.Card card) {
        var nvidia = card.nvidia();
        if (nvidia != null && nvidia.cardName() != null) {
            return "/dev/" + nvidia.cardName();
        }
        var drm = card.drm();
        if (drm == null) {
            return "";
        }
        return "/dev/dri/" + (drm.renderName() == null ? drm.cardName() : drm.renderName());
    }

    /** Whether a device of an instance, as LXD reads it, holds this card; one without a selector holds every card. */
    static boolean holds(Map<String, String> device, Hardware.Card card) {
        if (!"gpu".equals(device.get("type"))) {
            return false;
        }
        var drm = card.drm();
        return matches(device.get("pci"), List.of(address(card)))
                && matches(device.get("id"), drm == null ? List.of() : List.of(String.valueOf(drm.id())))
                && matches(device.get("vendorid"), List.of(card.vendorId()))
                && matches(device.get("productid"), List.of(card.productId()));
    }

    private static boolean matches(@Nullable String selector, List<String> values) {
        return selector == null
                || selector.isEmpty()
                || values.stream().anyMatch(value -> value.equalsIgnoreCase(selector));
    }
}
