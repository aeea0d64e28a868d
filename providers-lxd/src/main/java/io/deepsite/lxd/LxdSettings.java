package io.deepsite.lxd;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.ImageName;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Ordered;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.SiteNetwork;
import java.util.List;
import java.util.Map;
import java.util.Optional;

public record LxdSettings(
        @Key(
                value = "Where the LXD daemon listens: unix:///path/to/socket or https://host:port.",
                defaultValue = "unix:///var/lib/lxd/unix.socket",
                example = "https://lxd.example:8443",
                pattern = "unix:///[^\\s?#]+|https://[A-Za-z0-9.\\[\\]:-]+/?",
                impact = ChangeImpact.REPLACE)
        String endpoint,

        @Key(
                value = "The project of LXD that holds the machines; it must exist.",
                defaultValue = "default",
                example = "lab",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}",
                impact = ChangeImpact.REPLACE)
        String project,

        @Key(value = "The storage pool; made when missing.", impact = ChangeImpact.REPLACE)
        LxdPool pool,

        @Key(
                value = "The bridge; made when missing. A name of at most 15 letters, digits, dots or hyphens.",
                defaultValue = "lxdbr0",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,14}",
                impact = ChangeImpact.REPLACE)
        String network,

        @Key("Servers that images come from, by the name that machine groups use: deepsite image pull fetches them. A"
                + " name that is not here is an image that LXD has already.")
        Map<ImageName, LxdImage> images,

        @Key("What only LXD asks of a machine group, by the group's name.")
        Map<Name, LxdMachines> groups,

        @Key(value = "Client certificate (PEM) for an https endpoint.", example = "lxd/client.crt")
        Optional<String> certificate,

        @Key(value = "Private key (PEM, 0600) of the client certificate.", example = "lxd/client.key")
        Optional<String> key,

        @Key(value = "The server's own certificate (PEM), for an https endpoint.", example = "lxd/server.crt")
        Optional<String> serverCertificate)
        implements ProviderSettings {
    public static final String USUAL_PROJECT = "default";

    public LxdSettings {
        images = Ordered.copy(images);
        groups = Ordered.copy(groups);
    }

    public LxdMachines of(Name group) {
        return groups.getOrDefault(group, LxdMachines.NONE);
    }

    @Override
    public String provider() {
        return "lxd";
    }

    @Override
    public boolean sharesVolumes() {
        return true;
    }

    @Override
    public SiteEnd siteEnd() {
        return endpoint.startsWith("unix:") ? SiteEnd.OF_ITSELF : SiteEnd.BY_ITS_ADMIN;
    }

    @Override
    public boolean containers(Name group) {
        return !of(group).virtualMachines();
    }

    @Override
    public List<SiteNetwork> describedNetworks() {
        return List.of(new SiteNetwork(network, Optional.empty(), "bridge of LXD"));
    }

    @Override
    public CardAddresses cardAddresses() {
        return CardAddresses.OF_ONE_HOST;
    }
}
