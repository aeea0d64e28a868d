package io.deepsite.provider;

import java.util.List;
import java.util.Optional;

/**
 * What a design takes of what its back-end limits, and what its machines are charged by. Told in plans, never acted on.
 *
 * @param limits those that the design adds to
 * @param rates by flavor, of all machines of the design, also of those that exist
 */
public record Bill(List<Limit> limits, List<Rate> rates) {
    public static final Bill NONE = new Bill(List.of(), List.of());

    public Bill {
        limits = List.copyOf(limits);
        rates = List.copyOf(rates);
    }

    /**
     * @param account whose limit it is, such as {@code the project lab}
     * @param what is limited, in words, with its unit
     * @param more what the design adds
     * @param used before that, by everybody who shares the limit
     */
    public record Limit(String account, String what, long more, long used, long limit) {}

    /** @param hourly of one machine; empty if site.yaml does not say */
    public record Rate(String flavor, int machines, Optional<Price> hourly) {}
}
