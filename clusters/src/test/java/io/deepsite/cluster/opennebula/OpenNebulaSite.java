package io.deepsite.cluster.opennebula;

import io.deepsite.TestSites;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A site with one OpenNebula cloud, and hosts as an inventory would give them. */
public final class OpenNebulaSite {
    public static final Name NAME = new Name("cloud");

    private OpenNebulaSite() {}

    /** @param keys further lines of the cloud, each with a line break */
    public static Site site(String release, String keys) {
        return TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: demo
                        provider:
                          static: {inventory: hosts.yml}
                        machines:
                          front: {}
                          kvm: {}
                          gpu: {}
                        users:
                          alice: {uid: 2001, groups: [physics]}
                        clusters:
                          cloud:
                            kind: opennebula
                            version: %s
                            frontend: front
                            hosts: [kvm, gpu]
                            install: {packages: "https://packages.example.org/opennebula"}
                            networks:
                              private: {bridge: br0, range: 10.80.0.0/24, first: 10.80.0.100, count: 100, gateway: 10.80.0.1, dns: [10.80.0.1]}
                              lab: {bridge: br42, device: eno2, vlan: 42, range: 10.81.0.0/22, first: 10.81.1.1, count: 500}
                            images:
                              debian-12: {from: "https://images.example.org/debian-12.qcow2"}
                        %s""".formatted(release, keys.indent(4)), Map.of())
                .orFail();
    }

    public static OpenNebula cloud(Site site) {
        return (OpenNebula) site.clusters().values().iterator().next();
    }

    /** A front-end, two hosts of the group kvm and one of the group gpu. */
    public static List<Machine> machines() {
        var machines = new ArrayList<Machine>();
        machines.add(machine("front", "front", "10.0.0.1", 22));
        machines.add(machine("kvm-1", "kvm", "10.0.0.11", 22));
        machines.add(machine("kvm-2", "kvm", "10.0.0.12", 2222));
        machines.add(machine("gpu-1", "gpu", "10.0.0.21", 22));
        return machines;
    }

    public static Machine machine(String name, String group, String address, int port) {
        return new Machine(
                name,
                new Name(group),
                Optional.empty(),
                "static",
                new Machine.Specs(8, 16384, false, List.of()),
                new Machine.Ssh(Optional.of(address), port, "root", Optional.of("ssh-ed25519 " + "A".repeat(68))));
    }
}
