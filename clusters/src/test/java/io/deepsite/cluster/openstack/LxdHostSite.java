package io.deepsite.cluster.openstack;

import io.deepsite.TestSites;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A site with two hosts of LXD, one of them a container. */
public final class LxdHostSite {
    private LxdHostSite() {}

    /** @param keys of {@code lxd}, as a YAML map */
    public static Site site(String keys) {
        return TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: demo
                        provider: {static: {inventory: hosts.yml}}
                        machines:
                          host: {cpus: 4}
                        clusters:
                          lxd:
                            kind: lxd-host
                            hosts: [host]
                            lxd: %s
                        """.formatted(keys), Map.of()).orFail();
    }

    public static List<Machine> machines() {
        return List.of(machine("metal", "10.0.0.1", false), machine("box", "10.0.0.2", true));
    }

    /** The same, the first with two cards. */
    public static List<Machine> machinesWithCards() {
        var card = new Machine.Gpu("nvidia", "tesla-k20m", "", "/dev/nvidia0");
        return List.of(machine("metal", "10.0.0.1", false, card, card), machine("box", "10.0.0.2", true));
    }

    private static Machine machine(String name, String address, boolean container, Machine.Gpu... gpus) {
        return new Machine(
                name,
                new Name("host"),
                Optional.empty(),
                container ? "lxd" : "static",
                new Machine.Specs(4, 16_384, container, List.of(gpus)),
                new Machine.Ssh(Optional.of(address), 22, "root", Optional.empty()));
    }
}
