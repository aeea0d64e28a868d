package io.deepsite.lxd;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.ImageName;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Ordered;
import java.util.Map;
import java.util.Optional;

public record IncusSettings(
        @Key(
                value = "Where the Incus daemon listens: unix:///path/to/socket or https://host:port.",
                defaultValue = "unix:///var/lib/incus/unix.socket",
                example = "https://incus.example:8443",
                pattern = "unix:///[^\\s?#]+|https://[A-Za-z0-9.\\[\\]:-]+/?",
                impact = ChangeImpact.REPLACE)
        String endpoint,

        @Key(
                value = "The project of Incus that holds the machines; it must exist.",
                defaultValue = "default",
                example = "lab",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}",
                impact = ChangeImpact.REPLACE)
        String project,

        @Key(value = "The storage pool; made when missing.", impact = ChangeImpact.REPLACE)
        LxdPool pool,

        @Key(
                value = "The bridge; made when missing. A name of at most 15 letters, digits, dots or hyphens.",
                defaultValue = "incusbr0",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,14}",
                impact = ChangeImpact.REPLACE)
        String network,

        @Key("Servers that images come from, by the name that machine groups use: deepsite image pull fetches them. A"
                + " name that is not here is an image that Incus has already.")
        Map<ImageName, LxdImage> images,

        @Key("What only Incus asks of a machine group, by the group's name.")
        Map<Name, LxdMachines> groups,

        @Key(value = "Client certificate (PEM) for an https endpoint.", example = "incus/client.crt")
        Optional<String> certificate,

        @Key(value = "Private key (PEM, 0600) of the client certificate.", example = "incus/client.key")
        Optional<String> key,

        @Key(value = "The server's own certificate (PEM), for an https endpoint.", example = "incus/server.crt")
        Optional<String> serverCertificate)
        implements DaemonSettings {
    public IncusSettings {
        images = Ordered.copy(images);
        groups = Ordered.copy(groups);
    }

    @Override
    public Daemon daemon() {
        return Daemon.INCUS;
    }
}
