package io.deepsite.cluster.openstack;

import io.deepsite.TestSites;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Clouds that openstack-ansible installs: on one host, and on three control machines with two compute hosts. */
public final class OpenStackSite {
    private OpenStackSite() {}

    public static Site allInOne() {
        return site("""
                        machines: {host: {cpus: 4, memory: 16GiB}}
                        clusters:
                          cloud:
                            kind: openstack
                            method: openstack-ansible
                            release: stein
                            control: [host]
                            compute: [host]
                            services: [horizon]
                            networks:
                              externalVip: 10.0.0.1
                              bridges: made
                              management: {bridge: br-mgmt, range: 172.29.236.0/22, used: [172.29.236.1-172.29.236.50]}
                              overlay: {bridge: br-vxlan, range: 172.29.240.0/22}
                              provider: {flat: {}}
                            lxd: {pool: nova, driver: btrfs, size: 60GiB}
                        """);
    }

    public static Site several(String more) {
        return site("""
                        machines: {control: {}, compute: {}}
                        clusters:
                          cloud:
                            kind: openstack
                            method: openstack-ansible
                            release: rocky
                            control: [control]
                            compute: [compute]
                            services: [heat, horizon]
                            networks:
                              internalVip: 172.29.236.9
                              externalVip: cloud.example.org
                              externalAddress: 192.0.2.10
                              externalInterface: bond0
                              management: {bridge: br-mgmt, range: 172.29.236.0/22, used: [172.29.236.1-172.29.236.50]}
                              overlay: {bridge: br-vxlan, range: 172.29.240.0/22, used: [172.29.240.1-172.29.240.50]}
                              storage: {bridge: br-storage, range: 172.29.244.0/22, used: [172.29.244.1-172.29.244.50]}
                              provider:
                                flat: {interface: bond1}
                                vlan: {type: vlan, vlans: "101:200,301:400"}
                            sources: {opendev: "https://git.example.org/opendev"}
                        """ + more.indent(4));
    }

    public static Site devStack() {
        return site("""
                        machines: {host: {}}
                        clusters:
                          cloud:
                            kind: openstack
                            method: devstack
                            release: rocky
                            compute: [host]
                            services: [heat, horizon]
                            sources: {devstackCommit: 0123456789abcdef0123456789abcdef01234567}
                        """);
    }

    private static Site site(String rest) {
        return TestSites.load(
                        "site.yaml",
                        "apiVersion: deepsite/v1\nsite: demo\nprovider: {static: {inventory: hosts.yml}}\n" + rest,
                        Map.of())
                .orFail();
    }

    public static List<Machine> one() {
        return List.of(machine("host", "host", "10.0.0.1"));
    }

    public static List<Machine> five() {
        return List.of(
                machine("control-1", "control", "172.29.236.11"),
                machine("control-2", "control", "172.29.236.12"),
                machine("control-3", "control", "172.29.236.13"),
                machine("compute-1", "compute", "172.29.236.16"),
                machine("compute-2", "compute", "10.0.0.2"));
    }

    private static Machine machine(String name, String group, String address) {
        return new Machine(
                name,
                new Name(group),
                Optional.empty(),
                "static",
                new Machine.Specs(4, 16_384, false, List.of()),
                new Machine.Ssh(Optional.of(address), 22, "root", Optional.empty()));
    }
}
