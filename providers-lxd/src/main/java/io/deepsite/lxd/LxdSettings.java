package io.deepsite.lxd;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.ImageName;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Ordered;
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
        implements DaemonSettings {
    public LxdSettings {
        images = Ordered.copy(images);
        groups = Ordered.copy(groups);
    }

    @Override
    public Daemon daemon() {
        return Daemon.LXD;
    }
}
