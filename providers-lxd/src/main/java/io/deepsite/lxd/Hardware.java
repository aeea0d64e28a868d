package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The parts of {@code /1.0/resources} that deepsite uses: GPUs and network interfaces of the LXD host. */
record Hardware(Gpus gpu, Network network) {
    Hardware(@Nullable Gpus gpu, @Nullable Network network) {
        this.gpu = Objects.requireNonNullElse(gpu, new Gpus(List.of()));
        this.network = Objects.requireNonNullElse(network, new Network(List.of()));
    }

    List<Port> ports() {
        return network.cards().stream()
                .flatMap(card -> card.ports().stream()
                        .map(port -> new Port(
                                port.id(),
                                port.protocol(),
                                card.sriov() == null ? 0 : card.sriov().maximumVfs())))
                .toList();
    }

    record Network(List<Nic> cards) {
        Network(@Nullable List<Nic> cards) {
            this.cards = Objects.requireNonNullElse(cards, List.of());
        }
    }

    record Nic(List<Port> ports, @Nullable Sriov sriov) {
        Nic(@Nullable List<Port> ports, @Nullable Sriov sriov) {
            this.ports = Objects.requireNonNullElse(ports, List.of());
            this.sriov = sriov;
        }
    }

    /** @param maximumVfs largest number of virtual functions */
    record Sriov(long maximumVfs) {}

    /**
     * A network interface.
     *
     * @param protocol {@code ethernet} or {@code infiniband}
     * @param functions largest number of virtual functions
     */
    record Port(String id, String protocol, long functions) {
        Port(@Nullable String id, @Nullable String protocol, long functions) {
            this.id = Objects.requireNonNullElse(id, "");
            this.protocol = Objects.requireNonNullElse(protocol, "");
            this.functions = functions;
        }
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
            @Nullable Sriov sriov,
            Map<String, Mdev> mdev,
            String pciAddress,
            String vendor,
            String vendorId,
            String product,
            String productId) {
        Card(
                @Nullable String driver,
                @Nullable Drm drm,
                @Nullable Nvidia nvidia,
                @Nullable Sriov sriov,
                @Nullable Map<String, Mdev> mdev,
                @Nullable String pciAddress,
                @Nullable String vendor,
                @Nullable String vendorId,
                @Nullable String product,
                @Nullable String productId) {
            this.driver = Objects.requireNonNullElse(driver, "");
            this.drm = drm;
            this.nvidia = nvidia;
            this.sriov = sriov;
            this.mdev = Objects.requireNonNullElse(mdev, Map.of());
            this.pciAddress = Objects.requireNonNullElse(pciAddress, "");
            this.vendor = Objects.requireNonNullElse(vendor, "");
            this.vendorId = Objects.requireNonNullElse(vendorId, "");
            this.product = Objects.requireNonNullElse(product, "");
            this.productId = Objects.requireNonNullElse(productId, "");
        }
    }

    /** @param id number of the card among those with a DRM driver; LXD devices name it as {@code id} */
    record Drm(long id, @Nullable String cardName, @Nullable String renderName) {}

    /** @param cudaVersion comes from NVIDIA's container tools; absent without them */
    record Nvidia(
            @Nullable String model,
            @Nullable String cardName,
            @Nullable String cudaVersion) {}

    /** @param available how many more of this type the card can provide */
    record Mdev(long available) {}
}
