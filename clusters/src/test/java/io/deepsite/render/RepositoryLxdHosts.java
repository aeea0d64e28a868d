package io.deepsite.render;

import io.deepsite.TestSites;
import io.deepsite.provider.Machine;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;

/** Five groups: LXD installed by deepsite, LXD already there, one with Nova, and two that get OpenStack. */
final class RepositoryLxdHosts {
    static final Site SITE = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: rich
                        provider: {static: {inventory: hosts.yml}}
                        machines: {lxd-made: {}, lxd-given: {}, lxd-nova: {}, lxd-osa: {}, lxd-stack: {}}
                        clusters:
                          made: {kind: lxd-host, hosts: [lxd-made], lxd: {mtu: 9000, moveInstances: true}}
                          given: {kind: lxd-host, hosts: [lxd-given], lxd: {given: true, driver: zfs, device: tank/lxd, leftover: keep}}
                          cloud: {kind: openstack, method: packages, given: true, release: rocky, compute: [lxd-nova]}
                          trial: {kind: openstack, method: devstack, release: rocky, compute: [lxd-stack], services: [horizon], sources: {devstackCommit: 0123abc}}
                          whole:
                            kind: openstack
                            method: openstack-ansible
                            release: stein
                            control: [lxd-osa]
                            compute: [lxd-osa]
                            networks:
                              externalVip: cloud.example.org
                              bridges: made
                              management: {bridge: br-mgmt, range: 172.29.236.0/22}
                              overlay: {bridge: br-vxlan, range: 172.29.240.0/22}
                            sources: {github: "https://git.example.org/github"}
                        """, Map.of()).orFail();

    private RepositoryLxdHosts() {}

    static List<Machine> machines(boolean container) {
        return List.of(
                RepositoryRoles.machine("lxd-made-1", "lxd-made", container, 0, "10.0.3.1"),
                RepositoryRoles.machine("lxd-given-1", "lxd-given", container, 0, "10.0.3.2"),
                RepositoryRoles.machine("lxd-nova-1", "lxd-nova", container, 1, "10.0.3.3"),
                RepositoryRoles.machine("lxd-osa-1", "lxd-osa", container, 0, "10.0.3.4"),
                RepositoryRoles.machine("lxd-stack-1", "lxd-stack", container, 0, "10.0.3.5"));
    }
}
