package io.deepsite.lxd;

import io.deepsite.site.ImageName;
import io.deepsite.site.Name;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.SiteNetwork;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings of either daemon: the same keys, with defaults and explanations of its own. */
sealed interface DaemonSettings extends ProviderSettings permits LxdSettings, IncusSettings {
    String USUAL_PROJECT = "default";

    Daemon daemon();

    String endpoint();

    String project();

    LxdPool pool();

    String network();

    Map<ImageName, LxdImage> images();

    Map<Name, LxdMachines> groups();

    Optional<String> certificate();

    Optional<String> key();

    Optional<String> serverCertificate();

    default DaemonAddress address() {
        return new DaemonAddress(daemon(), endpoint());
    }

    default LxdMachines of(Name group) {
        return groups().getOrDefault(group, LxdMachines.NONE);
    }

    @Override
    default String provider() {
        return daemon().key();
    }

    @Override
    default boolean sharesVolumes() {
        return true;
    }

    @Override
    default SiteEnd siteEnd() {
        return address().isSocket() ? SiteEnd.OF_ITSELF : SiteEnd.BY_ITS_ADMIN;
    }

    @Override
    default boolean containers(Name group) {
        return !of(group).virtualMachines();
    }

    @Override
    default List<SiteNetwork> describedNetworks() {
        return List.of(new SiteNetwork(network(), Optional.empty(), "bridge of " + daemon()));
    }

    @Override
    default CardAddresses cardAddresses() {
        return CardAddresses.OF_ONE_HOST;
    }
}
