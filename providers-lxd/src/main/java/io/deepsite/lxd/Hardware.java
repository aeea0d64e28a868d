package io.deepsite.lxd;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What of {@code /1.0/resources} matters: the GPUs of the LXD host. */
record Hardware(Gpus gpu) {
    Hardware(@Nullable Gpus gpu) {
        this.gpu = Objects.requireNonNullElse(gpu, new Gpus(List.of()));
    }

    record Gpus(List<Card> cards) {
        Gpus(@Nullable List<Card> cards) {
            this.cards = Objects.requireNonNullElse(cards, List.of());
        }
    }

    /**
     * @param driver the kernel driver that holds it
     * @param vendorId four hexadecimal digits
     */
    record Card(
            String driver,
            @Nullable Drm drm,
            @Nullable Nvidia nvidia,
            String pciAddress,
            String vendor,
            String vendorId,
            String product,
            String productId) {
        Card(
                @Nullable String driver,
                @Nullable Drm drm,
                @Nullable Nvidia nvidia,
                @Nullable String pciAddress,
                @Nullable String vendor,
                @Nullable String vendorId,
                @Nullable String product,
                @Nullable String productId) {
            this.driver = Objects.requireNonNullElse(driver, "");
            this.drm = drm;
            this.nvidia = nvidia;
            this.pciAddress = Objects.requireNonNullElse(pciAddress, "");
            this.vendor = Objects.requireNonNullElse(vendor, "");
            this.vendorId = Objects.requireNonNullElse(vendorId, "");
            this.product = Objects.requireNonNullElse(product, "");
            this.productId = Objects.requireNonNullElse(productId, "");
        }
    }

    /** @param id number of the card among those with a DRM driver: what an LXD device names as {@code id} */
    record Drm(long id, @Nullable String cardName, @Nullable String renderName) {}

    record Nvidia(@Nullable String model, @Nullable String cardName) {}
}
