package io.deepsite.cluster.openstack;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Hosts with an LXD of their own, each by itself: its daemon, its storage pool. */
public record LxdHost(
        @Key(
                value = "The groups whose machines run LXD.",
                example = "[gpu]",
                required = true,
                impact = ChangeImpact.RESTART)
        List<Name> hosts,

        @Key(value = "LXD on them, and where its instances lie.", impact = ChangeImpact.RESTART)
        LxdStorage lxd)
        implements Cluster {
    public LxdHost {
        hosts = List.copyOf(hosts);
    }

    @Override
    public String kind() {
        return "lxd-host";
    }

    @Override
    public boolean runsCommands() {
        return false;
    }

    @Override
    public Set<Name> groups() {
        return new LinkedHashSet<>(hosts);
    }

    @Override
    public List<Part> parts() {
        return List.of(new Part("hosts", hosts));
    }
}
