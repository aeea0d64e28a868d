package io.deepsite.site;

import java.util.List;
import java.util.Optional;

/**
 * What one provider needs to know: a record with a component for each key of site.yaml, which is a map with one key there,
 * the provider's name. Its methods are what the rest of the engine asks of settings.
 */
public interface ProviderSettings {

    /** The provider's name in site.yaml. */
    String provider();

    /** Whether the machines exist before the site does, listed in an inventory; then nothing is known of them here. */
    default boolean machinesExist() {
        return false;
    }

    /** Whether the machines of a group are containers, with the kernel and the devices of their host. */
    default boolean containers(Name group) {
        return false;
    }

    /** The range of the machines' addresses, if site.yaml names it. */
    default Optional<Cidr> machineRange() {
        return Optional.empty();
    }

    /** Whether a machine can answer by one more address that is given to it later, or its network lets only its own through. */
    default boolean takesMoreAddresses() {
        return true;
    }

    /** The networks of the machines, that of all of them first: for pictures. Empty where site.yaml says nothing of them. */
    default List<SiteNetwork> describedNetworks() {
        return List.of();
    }

    /** Whether a volume can be mounted by several machines. */
    default boolean sharesVolumes() {
        return false;
    }

    /** Whether a volume can be attached to one machine at a time, and outlives it. */
    default boolean attachesVolumes() {
        return false;
    }

    /** Who ends a site when its lease is over. */
    default SiteEnd siteEnd() {
        return SiteEnd.OF_ITSELF;
    }

    /** Who ends sites whose lease is over. */
    enum SiteEnd {
        /** The back-end, or a timer on its host, where apply runs. */
        OF_ITSELF,
        /** A timer on any machine that is able to log in; site.yaml says which. */
        BY_A_TIMER,
        /** What its admin sets up. */
        BY_ITS_ADMIN
    }

    /** What the PCI addresses of a group's GPUs mean. */
    CardAddresses cardAddresses();

    /** What PCI addresses of GPUs mean. */
    enum CardAddresses {
        /** The back-end chooses the cards. */
        REFUSED,
        /** Cards of the one host that all machines of the site are on. */
        OF_ONE_HOST,
        /** Cards of the host that the machine will be on; given to one machine only. */
        OF_SOME_HOST,
        /** Cards of each machine itself. */
        OF_EACH_MACHINE
    }
}
