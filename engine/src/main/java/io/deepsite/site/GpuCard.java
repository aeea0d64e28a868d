package io.deepsite.site;

import java.util.List;
import java.util.Optional;

/**
 * A model of NVIDIA's cards, as gpus.tsv beside the classes has it, with its source.
 *
 * @param id the PCI device id, four hexadecimal digits; the vendor is {@link #VENDOR}
 * @param mig profiles into which it can be split, none for a card that cannot be split; empty where no source says
 */
public record GpuCard(
        String id, String model, GpuArchitecture architecture, Market market, Optional<List<String>> mig) {
    public static final String VENDOR = "10de";

    public GpuCard {
        mig = mig.map(List::copyOf);
    }

    public enum Market {
        DATACENTER,
        WORKSTATION,
        CONSUMER
    }
}
